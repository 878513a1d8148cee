/** A sandbox on this page: a moment of a match, the moves that are tried from it, and the position after them. */

import type { Board } from '../boards/board';
import { loadBoard } from '../boards/registry';
import { EpisodeRecord } from '../episode/record/record';
import { ApiError, at, get } from '../net/api';
import { calls } from '../net/calls';
import { Answer } from '../seat/answer.svelte';
import type { Action } from '../seat/slots';
import type { EpisodeSummary, Event, SandboxMove, SandboxPosition, SeatView, Snapshot } from '../types.gen';
import { EMPTY, type Line } from './line';
import type { Moment } from '../episode/record/moments';

/** The move itself, and the next turn. */
const SAID_ELSEWHERE = new Set(['ActionChosen', 'TurnStarted']);

export class Sandbox {
  episode = $state.raw<EpisodeSummary | null>(null);
  board = $state.raw<Board | null>(null);
  /** The moves, how many of them are shown, the draws of chance, and the question. */
  line = $state.raw<Line>(EMPTY);
  /** The position after the moves that are shown. */
  position = $state.raw<SandboxPosition | null>(null);
  moment = $state.raw<Moment<unknown> | null>(null);
  /** The moment before the move that was made last, to animate it; null after any other change. */
  before = $state.raw<Moment<unknown> | null>(null);
  /** What the last move that is shown led to, in sentences. */
  told = $state.raw<readonly string[]>([]);
  /** The answer of the seat that is looked from. */
  answer = $state.raw<Answer | null>(null);
  /** Whether the position is changed by hand, instead of by moves. */
  changing = $state(false);
  busy = $state(false);
  /** Why the last change was refused; '' if it was not. */
  refusal = $state('');
  /** Why there is no sandbox here; '' if there is one. */
  failure = $state('');
  #snapshot: Snapshot | null = null;
  /** The events of each move of the line that was played. */
  #events: readonly (readonly Event[])[] = [];
  /** The decisions of the match in the first turn, and the number of that turn. */
  #decided = $state.raw<readonly SandboxMove[]>([]);
  #first = 0;

  constructor(
    readonly id: string,
    readonly seq: number,
  ) {}

  get view(): SeatView | null {
    return this.position?.view ?? null;
  }

  get waiting(): readonly string[] {
    return this.position?.waiting ?? [];
  }

  /** The moves that lead to the position. */
  get shown(): readonly SandboxMove[] {
    return this.line.moves.slice(0, this.line.shown);
  }

  /** What the match's own players decided next in this turn, in order. */
  get decided(): readonly SandboxMove[] {
    if (this.view?.index !== this.#first) return [];
    const made: Record<string, number> = {};
    for (const { seat } of this.shown) made[seat ?? ''] = (made[seat ?? ''] ?? 0) + 1;
    return this.#decided.filter(({ seat }) => {
      const left = made[seat ?? ''] ?? 0;
      made[seat ?? ''] = left - 1;
      return left <= 0 && this.waiting.includes(seat ?? '');
    });
  }

  /** Begin with `line`. */
  async open(line: Line): Promise<void> {
    try {
      const begun = await calls.sandbox(this.id, this.#asked([], 0, line.draw));
      const snapshot = await get<Snapshot>(`${at(this.id)}/snapshot?as=${begun.viewpoint}&seq=${begun.seq}`);
      this.board = await loadBoard(snapshot.episode.game);
      [this.#snapshot, this.episode] = [snapshot, snapshot.episode];
      [this.#decided, this.#first] = [begun.decided, begun.view?.index ?? 0];
      this.#events = [];
      this.#show({ ...line, shown: 0 }, begun, false);
      if (line.shown) await this.#go(line, 0, null);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  /** Play a move, in place of those that were taken back. Rejects with the rules' message. */
  async play(move: SandboxMove): Promise<void> {
    await this.playAll([move]);
  }

  async playAll(moves: readonly SandboxMove[]): Promise<void> {
    if (this.busy || !moves.length) return;
    const { shown } = this.line;
    const line = [...this.shown, ...moves];
    await this.#try({ ...this.line, moves: line, shown: line.length }, shown, null);
  }

  /** Show so many moves of the line. */
  async step(shown: number): Promise<void> {
    if (this.busy || shown < 0 || shown > this.line.moves.length || shown === this.line.shown) return;
    await this.#go({ ...this.line, shown }, Infinity, null);
  }

  /** Look from a seat that decides. */
  async look(seat: string): Promise<void> {
    if (!this.busy && this.waiting.includes(seat)) await this.#go(this.line, Infinity, seat);
  }

  /** Let chance draw anew for the moves that are shown. */
  async drawAnew(): Promise<void> {
    if (this.busy) return;
    await this.#go({ ...this.line, moves: this.shown, draw: this.line.draw + 1 }, 0, null);
  }

  /** Change the position by hand, or move. */
  change(changing: boolean): void {
    this.changing = changing;
    this.#answer();
  }

  ask(question: string): void {
    this.line = { ...this.line, question };
  }

  /** Go to a line; what it is refused for is said. */
  async #go(line: Line, kept: number, seat: string | null): Promise<void> {
    await this.#try(line, kept, seat).catch((error: unknown) => {
      this.refusal = error instanceof Error ? error.message : String(error);
    });
  }

  /** Go to a line, of whose events those of the first `kept` moves that were played are still good. */
  async #try(line: Line, kept: number, seat: string | null): Promise<void> {
    this.busy = true;
    this.refusal = '';
    const events = this.#events.slice(0, kept);
    const moves = line.moves.slice(0, line.shown);
    try {
      const known = Math.min(events.length, moves.length);
      const position = await calls.sandbox(this.id, this.#asked(moves, known, line.draw, seat));
      this.#events = [...events, ...position.events];
      this.#show(line, position, position.events.length === 1);
    } finally {
      this.busy = false;
    }
  }

  #asked(
    moves: readonly SandboxMove[],
    known: number,
    draw: number,
    seat: string | null = null,
  ): Parameters<typeof calls.sandbox>[1] {
    return { seq: this.seq, moves: [...moves], known, draw, seat };
  }

  #show(line: Line, position: SandboxPosition, moved: boolean): void {
    const record = this.#recordOf(this.#events.slice(0, line.shown).flat());
    const count = this.#events[line.shown - 1]?.length ?? 0;
    this.before = moved ? record.at(record.head - count) : null;
    this.moment = record.at(record.head);
    this.told = (this.#events[line.shown - 1] ?? [])
      .filter(({ type }) => !SAID_ELSEWHERE.has(type))
      .map(({ seq }) => record.at(seq))
      .flatMap((told) => (told?.step ? told.text.split('\n').filter(Boolean) : []));
    [this.line, this.position] = [line, position];
    this.#answer();
  }

  #answer(): void {
    const { view } = this;
    if (this.changing) this.answer = new Answer(this.#decision(null, 0));
    else this.answer = view ? new Answer(this.#decision(view.seat, view.number)) : null;
  }

  #recordOf(events: readonly Event[]): EpisodeRecord {
    const record = new EpisodeRecord();
    if (this.board && this.episode && this.#snapshot) {
      record.use(this.board, this.episode);
      record.take({ do: 'snapshot', snapshot: this.#snapshot });
      record.take({ do: 'frames', frames: events.map((event) => ({ frame: 'event', event })) });
      record.fold();
    }
    return record;
  }

  #decision(seat: string | null, number: number): ConstructorParameters<typeof Answer>[0] {
    const [moves, { draw }] = [[...this.shown], this.line];
    return {
      number,
      draft: null,
      ask: (asked) => calls.sandboxChoices(this.id, { ...this.#asked(moves, 0, draw, seat), asked }),
      change: () => undefined,
      submit: (action: Action) => this.play({ seat, action }).catch(unnumbered),
      passed: () => undefined,
    };
  }
}

/** Throw a refusal of a move without the number of the move in its field: there is one move to answer for. */
function unnumbered(error: unknown): never {
  if (!(error instanceof ApiError) || !error.field) throw error;
  const field = error.field.replace(/^moves\[\d+\]\./, '');
  throw new ApiError(error.status, error.message.replace(error.field, field), field);
}
