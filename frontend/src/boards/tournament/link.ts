import { rooted } from '../../net/root';

/** Return the address of the episode of a match. */
export const matchHref = (episode: string): string => rooted(`/episode/${encodeURIComponent(episode)}`);
