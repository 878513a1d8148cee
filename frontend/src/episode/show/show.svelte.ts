/** Moves the playhead of one episode: by the viewer's commands, and step by step at the pace of what happens. */

import { countNumbersUpTo } from '../../lib/search';
import { still } from '../../lib/still';
import { serverTime } from '../../net/api';
import { stepAfter, stepBefore } from '../record/steps';
import { press } from '../story/messages';
import { chooseLetters } from '../story/selection';
import { Director } from './director.svelte';
import { AT_ONCE, haste, importanceOf, timing, whole, type Timing } from './pace';
import { begin, jump, move, pictured, type Move, type Playhead, type Step } from './playhead';
import type { Told } from '../../boards/game';
import type { EpisodeRecord } from '../record/record';

/** Seconds before its deadline at which a seat is shown its question, whatever is left to show. */
const PRESSED = 30;

/** Seconds between the first and the last event of what happened at once. */
const AT_THE_SAME_TIME = 0.3;

interface PlannedStep extends Timing {
  readonly from: number;
  readonly seq: number;
}

export class Show {
  playhead: Playhead;
  #joined = false;
  /** What the viewer asked for before the events for it had arrived. */
  #asked: (() => void)[] = [];
  readonly director = new Director<PlannedStep>({
    next: () => this.#plan(),
    take: (step) => this.#take(step),
    tell: (what) => this.#tell(what === 'words' ? 'told' : 'score'),
    idle: () => this.#idle(),
  });

  /**
   * A live match is shown step by step at the pace of what happens, at most `behind` milliseconds late; with 0, the head
   * is shown, as it is to `seat` when its clock runs out. `changed` is called after every move.
   */
  constructor(
    private readonly record: EpisodeRecord,
    private readonly behind: number,
    private readonly seat: string | null,
    [seq, last]: readonly [seq: number | null, last: number | null],
    private readonly changed: () => void,
  ) {
    this.playhead = begin(seq, last);
  }

  /** The number shown. */
  get seq(): number {
    return pictured(this.playhead, this.record.head);
  }

  /** Show any number at once, without animation. */
  look(seq: number): void {
    this.#asked = [];
    this.director.cut();
    this.#move({ do: 'look', seq });
  }

  /** Follow the live end, or show the last moment of a finished episode. */
  follow(): void {
    this.#asked = [];
    this.director.cut();
    this.#move({ do: 'follow' });
    this.#toHead();
  }

  /** Show a live match at its head now, without what is left to show of the way there. */
  skip(): void {
    if (this.#live) this.follow();
  }

  play(): void {
    this.director.playing = true;
    this.director.run();
  }

  /** Go on at the end of the range. */
  watchOn(): void {
    const next = this.#next;
    this.#move({ do: 'leave range' });
    if (next === undefined) this.follow();
    else this.play();
  }

  /** Show the next step as in playback. */
  next(): void {
    this.director.cut();
    this.#move({ do: 'leave range' });
    const next = this.#next;
    if (next === undefined) this.#end(() => this.next());
    else this.director.once(this.#planned(this.seq, next, 1));
  }

  back(): void {
    this.look(stepBefore(this.record.landmarks.steps, this.seq) ?? 0);
  }

  /** Show the first number of the turn that is `by` turns away. */
  turn(by: 1 | -1): void {
    const starts = this.record.landmarks.ticks.map((tick) => tick.seq);
    const target = by > 0 ? stepAfter(starts, this.seq) : stepBefore(starts, this.seq);
    if (by > 0 && target === undefined) this.#end(() => this.turn(by));
    else this.look(target ?? 0);
  }

  /** Follow what comes after the last step, or `ask` again if it is only the last that has arrived. */
  #end(ask: () => void): void {
    if (this.#joined && this.record.store.filled > this.record.head) this.follow();
    else this.#asked.push(ask);
  }

  /** The first moment with something to see: the first turn. */
  get start(): number {
    return this.record.landmarks.ticks[0]?.seq ?? 0;
  }

  /** Show the first turn and play from there. */
  replay(): void {
    this.look(this.start);
    this.play();
  }

  /** Start playback at the moment shown, or from the start at the end. */
  resume(): void {
    if (this.#live || this.#next === undefined) this.replay();
    else this.play();
  }

  /** Set the dial of the viewer's own pace. */
  setDial(id: string): void {
    this.director.setDial(id);
    if (this.#live) this.follow();
  }

  /**
   * Go on with what has arrived: by steps, or to the head if nobody watches or the pace is off. Before the stream has
   * `joined`, the head is only that of the moment that was asked for.
   */
  arrive(joined: boolean): void {
    this.#joined = joined;
    this.#asked.splice(0).forEach((ask) => ask());
    const { mode, step } = this.playhead;
    const { head, store } = this.record;
    if (mode.name === 'range' && mode.state === 'waiting') {
      if (store.filled <= (joined ? Math.min(mode.last, head) : mode.last)) return;
      this.#move({ do: 'range', state: 'playing' });
      this.play();
    }
    if (mode.name !== 'live') return;
    const paced = this.behind > 0 && this.director.dial.factor > 0 && !document.hidden && !this.#pressed;
    if (paced && step && step.seq <= head) {
      this.director.run();
      this.#passOn();
      this.#hurry();
      return;
    }
    this.director.cut();
    this.#toHead();
  }

  /** End the step that is being shown before the next one, which has arrived, is too late. */
  #hurry(): void {
    const next = this.#next;
    if (next !== undefined) this.director.within(this.behind - this.#age(next));
  }

  /** Return the milliseconds since an event reached the viewers; 0 for one that has not arrived. */
  #age(seq: number): number {
    const { slots, episode } = this.record.store;
    const now = serverTime() - (episode?.delay ?? 0);
    return 1000 * (now - (slots[seq]?.at ?? now));
  }

  get #live(): boolean {
    return this.playhead.mode.name === 'live';
  }

  get #pressed(): boolean {
    const request = this.seat && this.record.at(this.record.head)?.shell.requests[this.seat];
    return !!request && request.deadline != null && !request.ready && request.deadline - serverTime() < PRESSED;
  }

  get #next(): number | undefined {
    return stepAfter(this.record.landmarks.steps, this.seq);
  }

  #move(act: Move): void {
    const before = this.playhead;
    this.playhead = move(before, act);
    if (this.playhead !== before) this.changed();
  }

  /** Plan the next step of playback, or of the live match that is followed. */
  #plan(): PlannedStep | null {
    const { director, playhead, record, seq } = this;
    if (this.#live ? !this.behind : !director.playing) return null;
    const { steps, marks } = record.landmarks;
    const important = (next: number, at: number): boolean =>
      importanceOf(record.story.importance, marks, steps[at - 1] ?? -1, next) >= director.dial.from;
    const first = countNumbersUpTo(steps, seq);
    const at = steps.findIndex((next, n) => n >= first && important(next, n));
    const next = steps[at];
    if (next === undefined || (playhead.mode.name === 'range' && next > playhead.mode.last)) return null;
    const share = this.#live ? this.#haste(steps.slice(first)) : 1;
    return this.#planned(Math.max(seq, steps[at - 1] ?? 0), next, share);
  }

  /** Return the share of the usual time for the first of the steps of a live match that wait. */
  #haste(waiting: readonly number[]): number {
    const { slots } = this.record.store;
    let from = this.seq;
    const [next = from] = waiting;
    // What happened at once is told one after another without being late.
    const same = (slots[next]?.at ?? 0) - (slots[from]?.at ?? 0) < AT_THE_SAME_TIME;
    const queue = waiting.map((next) => {
      const usual = whole(this.#planned(from, next, 1));
      from = next;
      return { usual, age: this.#age(next) };
    });
    return haste(queue, this.behind, same ? 0 : queue[0]?.age);
  }

  #planned(from: number, seq: number, share: number): PlannedStep {
    const { game, landmarks, story } = this.record;
    const before = this.record.at(from);
    const after = this.record.at(seq);
    if (!before || !after) return { from, seq, ...AT_ONCE };
    const unfolding = game?.unfold?.(before.board, after.board) ?? { picture: 0, score: 0 };
    const importance = importanceOf(story.importance, landmarks.marks, from, seq);
    const facts = { unfolding, importance, length: after.text.length, letters: this.#letters(from, seq) };
    const usual = timing(facts, this.director.dial, share);
    return { from, seq, ...(still.current ? { ...AT_ONCE, rest: whole(usual) } : usual) };
  }

  /** Return the number of characters of the letters that are shown with a step. */
  #letters(from: number, seq: number): number {
    const { game, store } = this.record;
    if (!game?.terms.press) return 0;
    const told = (at: number): readonly Told[] => this.record.at(at)?.told ?? [];
    const { letters } = press(told, store.slots, [from + 1, seq], '');
    return chooseLetters(letters).reduce((sum, { text }) => sum + text.length, 0);
  }

  #take({ from, seq, picture, score, rate }: PlannedStep): void {
    const phase = picture > 0 ? 'picture' : score > 0 ? 'score' : 'told';
    this.#move({ do: 'take', step: { from, seq, rate, phase } });
  }

  #tell(phase: 'score' | 'told'): void {
    this.#move({ do: 'tell', phase });
    this.#passOn();
  }

  /** Take what has no picture of its own with the step before it, once that has been told live. */
  #passOn(): void {
    const { step } = this.playhead;
    if (!this.#live || step?.phase !== 'told') return;
    const last = (this.#next ?? this.record.head + 1) - 1;
    if (last > step.seq) this.#move({ do: 'take', step: this.#stepTo(last, step) });
  }

  /** Nothing is left to show: follow the head, which has no more steps, or end the replay. */
  #idle(): void {
    const { mode } = this.playhead;
    if (mode.name === 'live') return this.#toHead();
    if (!this.director.playing) return;
    this.director.playing = false;
    if (mode.name === 'range') this.#move({ do: 'range', state: 'over' });
    else this.follow();
  }

  #toHead(): void {
    const { head } = this.record;
    const last = this.playhead.step;
    if (head < 0 || (last?.seq === head && last.phase === 'told')) return;
    this.#move({ do: 'take', step: this.#stepTo(head, last) });
  }

  /** Return the step from what is shown to `head`, all of it told: with motion within a turn, else a jump. */
  #stepTo(head: number, last: Step | null): Step {
    if (!last || last.seq > head) return jump(head);
    const before = this.record.at(last.seq);
    const after = this.record.at(head);
    if (!before || !after) return jump(head);
    // A picture that stays goes on moving as it was.
    if (before.board === after.board) return { ...last, seq: head, phase: 'told' };
    const near = this.record.turnsBetween(last.seq, head) <= 1;
    return near ? { from: last.seq, seq: head, rate: 1, phase: 'told' } : jump(head);
  }
}
