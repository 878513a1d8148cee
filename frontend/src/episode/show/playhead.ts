/**
 * The place in an episode that is shown, as a pure reducer without record, board or clock. What happened is told in one
 * order: the picture of a step, then its score, then its words.
 */

export type Phase = 'picture' | 'score' | 'told';

/** The change from the number `from` to `seq`, as far as it has been shown. */
export interface Step {
  readonly from: number;
  readonly seq: number;
  /** The speed of the picture's animation, 1 for the usual one; 0 without motion. */
  readonly rate: number;
  readonly phase: Phase;
}

/** A range of events that plays by itself and stops at `last`. */
export interface PlayedRange {
  readonly name: 'range';
  readonly last: number;
  /** The range waits until its events have arrived, plays, and is over when all of it has been told. */
  readonly state: 'waiting' | 'playing' | 'over';
}

export interface Playhead {
  /** The live end is followed, a number that the viewer chose is shown or played from, or a range is played. */
  readonly mode: { readonly name: 'live' } | { readonly name: 'at' } | PlayedRange;
  /** Null before the live end is known. */
  readonly step: Step | null;
}

export type Move =
  | { do: 'look'; seq: number }
  | { do: 'follow' }
  | { do: 'take'; step: Step }
  | { do: 'tell'; phase: 'score' | 'told' }
  | { do: 'range'; state: PlayedRange['state'] }
  | { do: 'leave range' };

const LIVE = { name: 'live' } as const;
const AT = { name: 'at' } as const;
const ORDER: readonly Phase[] = ['picture', 'score', 'told'];

/** Return the playhead of a page that begins at `seq`, or at the live end if it is null; it plays up to `last`. */
export function begin(seq: number | null, last: number | null): Playhead {
  if (seq === null) return { mode: LIVE, step: null };
  const ranged = last !== null && last >= seq;
  return { mode: ranged ? { name: 'range', last, state: 'waiting' } : AT, step: jump(seq) };
}

/** Return a step that shows `seq` and tells it at once, without motion. */
export const jump = (seq: number): Step => ({ from: seq, seq, rate: 0, phase: 'told' });

export function move(playhead: Playhead, act: Move): Playhead {
  const { mode, step } = playhead;
  switch (act.do) {
    case 'look':
      return { mode: AT, step: jump(Math.max(0, Math.round(act.seq))) };
    case 'follow':
      return { mode: LIVE, step };
    case 'take':
      return { mode, step: act.step };
    case 'tell':
      if (!step || ORDER.indexOf(act.phase) <= ORDER.indexOf(step.phase)) return playhead;
      return { mode, step: { ...step, phase: act.phase } };
    case 'range':
      return mode.name === 'range' ? { mode: { ...mode, state: act.state }, step } : playhead;
    case 'leave range':
      return mode.name === 'range' ? { mode: AT, step } : playhead;
  }
}

/** Return the number shown; no later than `head`. */
export const pictured = ({ step }: Playhead, head: number): number => Math.min(step?.seq ?? head, head);

/** Return the number whose score may be told. */
export const scored = (playhead: Playhead, head: number): number =>
  Math.min(playhead.step?.phase === 'picture' ? playhead.step.from : Infinity, pictured(playhead, head));

/** Return the number that may be told in words. */
export const narrated = (playhead: Playhead, head: number): number =>
  Math.min(playhead.step && playhead.step.phase !== 'told' ? playhead.step.from : Infinity, pictured(playhead, head));
