/** What has arrived of one episode: its frames, the moments folded from them, and its story. */

import { countNumbersUpTo } from '../../lib/search';
import { StoryLog, type Story } from '../story/storyLog';
import { Moments, type Landmarks, type Moment } from './moments';
import { EMPTY, reduce, type Action, type Store } from './store';
import type { Game } from '../../boards/game';
import type { EpisodeSummary } from '../../types.gen';

const NONE: Landmarks = { marks: [], ticks: [], steps: [], broken: [] };

export class EpisodeRecord {
  store: Store = EMPTY;
  game: Game | null = null;
  #moments: Moments<unknown> | null = null;
  #log = new StoryLog();

  take(action: Action): void {
    this.store = reduce(this.store, action);
  }

  /** Fold the events with `game` from now on. */
  use(game: Game, episode: EpisodeSummary): void {
    this.game = game;
    this.#moments = new Moments(game, episode);
  }

  /** Compute the moments and the story of all events that have arrived. Return whether there is a moment to show. */
  fold(): boolean {
    if (!this.#moments || this.head < 0) return false;
    this.#moments.foldAll(this.store);
    this.#log.read(this.store);
    return true;
  }

  get head(): number {
    return this.store.head;
  }

  get landmarks(): Landmarks {
    return this.#moments?.landmarks ?? NONE;
  }

  get story(): Story {
    return this.#log.story;
  }

  /** Return the moment at `seq`, or null if the events that lead to it have not arrived. */
  at(seq: number): Moment<unknown> | null {
    return this.#moments?.at(this.store, seq) ?? null;
  }

  /** Return the last sentence up to `seq`, or ''. */
  lastText(seq: number): string {
    for (let back = seq; back >= 0; back--) {
      const slot = this.store.slots[back];
      if (slot === undefined) break;
      const moment = slot && slot.type !== 'TurnStarted' ? this.at(back) : null;
      if (moment?.step) return moment.text;
    }
    return '';
  }

  /** Return the number of turns that began after `from`, up to `seq`. */
  turnsBetween(from: number, seq: number): number {
    const starts = this.landmarks.ticks.map((tick) => tick.seq);
    return countNumbersUpTo(starts, seq) - countNumbersUpTo(starts, from);
  }
}
