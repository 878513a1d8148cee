/** Who this tab is to the server, and what that lets it do. The server decides each time; this only knows what to offer. */

import { api } from './api';
import { DROPPED, keepToken, token } from './token';
import type { EpisodeSummary, Session } from '../types.gen';

class Access {
  /** Null until the server has said. */
  session = $state.raw<Session | null>(null);
  /** Why somebody who had signed in is not any more. */
  dropped = $state('');

  constructor() {
    addEventListener(DROPPED, () => {
      this.dropped = 'Your token has expired: the server no longer accepts it, or the match has ended.';
      void this.ask();
    });
  }

  get operator(): boolean {
    return this.session?.role === 'operator';
  }

  /** Whether a token was entered at this tab. */
  get signed(): boolean {
    return this.session !== null && token() !== null;
  }

  /** Whether this tab may do anything in the episode but watch. */
  acts(id: string): boolean {
    return this.operator || (this.session?.role === 'seat' && this.session.episode_id === id);
  }

  /** Whether this tab may act for `seat` of the episode, where the match lets somebody from outside act. */
  plays(id: string, seat: string): boolean {
    return this.operator || (this.session?.episode_id === id && this.session.seat === seat);
  }

  /** Viewpoint this tab may look at the episode, which is `over` or goes on. */
  viewpoints({ episode_id: id, seats, reveal }: EpisodeSummary, over: boolean): string[] {
    const all = this.operator || reveal === 'live' || (reveal === 'after' && over);
    return [
      'spectator',
      ...(all ? ['analyst'] : []),
      ...(this.operator ? ['operator'] : []),
      ...seats.filter(({ seat }) => all || this.plays(id, seat)).map(({ seat }) => `seat:${seat}`),
    ];
  }

  /** Ask the server who this is. A server that does not answer leaves what was known. */
  async ask(): Promise<void> {
    this.session = await api.session().catch(() => this.session);
  }

  /** Sign in for as long as this tab lives. Rejects with an ApiError, and then nothing has changed. */
  async signIn(secret: string): Promise<void> {
    const session = await api.sessionOf(secret);
    keepToken(secret);
    this.session = session;
    this.dropped = '';
  }

  async signOut(): Promise<void> {
    keepToken(null);
    await this.ask();
  }
}

export const access = new Access();
