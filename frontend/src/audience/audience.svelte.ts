/** What the viewers of a match say, and what this one sends: asked for in one request, again and again while it is live. */

import { at, get, post } from '../net/api';
import { poll, type Polled } from '../net/poll.svelte';
import type { CallQuestion, MatchAudience, SendReaction } from '../types.gen';
import type { Reaction } from './reactions';
import { keptViewer, viewer } from './viewer';

const EVERY = 4000;
const HEADER = 'Grandstand-Viewer';

export class Audience {
  readonly #path: string;
  readonly #asked: Polled<MatchAudience>;
  /** The answer to what was sent last, until the next one is here. */
  #sent = $state.raw<{ after: MatchAudience | null; answer: MatchAudience } | null>(null);

  /** The last answer; null before the first one, and if nothing is asked. */
  says = $derived.by(() => {
    const [asked, sent] = [this.#asked.value, this.#sent];
    return sent?.after === asked ? sent.answer : asked;
  });

  /** `asks` returns whether this page may ask, and `live` whether the match goes on. */
  constructor(id: string, asks: () => boolean, live: () => boolean) {
    this.#path = `${at(id)}/audience`;
    this.#asked = poll(
      (gone) => {
        void live(); // The answers of the end are asked for.
        return asks() ? get<MatchAudience>(this.#path, gone, { [HEADER]: keptViewer()?.id ?? '' }) : null;
      },
      () => (live() ? EVERY : Infinity),
    );
  }

  again(): void {
    this.#asked.again();
  }

  /** Call an option of a question. Raises ApiError. */
  async call(question: string, option: string): Promise<void> {
    await this.#send('calls', { viewer: viewer().id, question, option } satisfies CallQuestion);
  }

  /** React to the moment `seq`. Raises ApiError. */
  async react(seq: number, reaction: Reaction): Promise<void> {
    await this.#send('reactions', { viewer: viewer().id, seq, reaction } satisfies SendReaction);
  }

  async #send(what: string, body: unknown): Promise<void> {
    this.#sent = { after: this.#asked.value, answer: await post<MatchAudience>(`${this.#path}/${what}`, body) };
  }
}
