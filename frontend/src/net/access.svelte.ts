/** The role of this tab and what it may do. The server checks every request; the page uses this to decide what to offer. */

import { api } from './api';
import { keepSeat } from './seats';
import { DROPPED, keepToken, token } from './token';
import type { EpisodeSummary, Session } from '../types.gen';

class Access {
  /** Null until the server has responded. */
  session = $state.raw<Session | null>(null);
  /** Why a user who had signed in no longer is. */
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

  /** Return whether this tab may do more in the episode than watch. */
  acts(id: string): boolean {
    return this.operator || (this.session?.role === 'seat' && this.session.episode_id === id);
  }

  /** Return whether this tab may act for `seat` of the episode, where the match allows external players. */
  plays(id: string, seat: string): boolean {
    return this.operator || (this.session?.episode_id === id && this.session.seat === seat);
  }

  /** Return the viewpoints of the episode that this tab may use; `over` says whether it has ended. */
  viewpoints({ episode_id: id, seats, reveal }: EpisodeSummary, over: boolean): string[] {
    const all = this.operator || reveal === 'live' || (reveal === 'after' && over);
    return [
      'spectator',
      ...(all ? ['analyst'] : []),
      ...(this.operator ? ['operator'] : []),
      ...seats.filter(({ seat }) => all || this.plays(id, seat)).map(({ seat }) => `seat:${seat}`),
    ];
  }

  /** Request the session. If the server does not respond, the known one stays. */
  async ask(): Promise<void> {
    this.session = await api.session().catch(() => this.session);
    this.#keepSeat();
  }

  /** Sign in until the tab is closed. Rejects with an ApiError and then changes nothing. */
  async signIn(secret: string): Promise<void> {
    const session = await api.sessionOf(secret);
    keepToken(secret);
    this.session = session;
    this.dropped = '';
    this.#keepSeat();
  }

  async signOut(): Promise<void> {
    keepToken(null);
    await this.ask();
  }

  /** Sign out of the account that pays for models. */
  async leaveAccount(): Promise<void> {
    await api.leaveAccount();
    await this.ask();
  }

  /** Keep the seat that this tab plays beyond the tab. */
  #keepSeat(): void {
    const [session, secret] = [this.session, token()];
    if (session?.role === 'seat' && session.episode_id && session.seat && secret)
      keepSeat(session.episode_id, session.seat, secret);
  }
}

export const access = new Access();
