import { rooted } from '../../net/root';

/** Return the address of the episode of a training run. */
export const trainingHref = (episode: string): string => rooted(`/episode/${encodeURIComponent(episode)}`);
