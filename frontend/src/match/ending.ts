/** What is told at the end of a match: how it was won, who lied most, the last words and the extremes. Pure. */

import type { ChancesAt, Told } from '../boards/game';
import type { TurningPoint } from '../episode/story/chapters';
import type { Letter } from '../episode/story/messages';
import type { StoryLine } from '../episode/story/storyLog';

type Line = Pick<StoryLine, 'about' | 'importance' | 'seats' | 'kind'>;

/** What the most important deed of a winner, of importance 1, adds to the change of the chance that a moment has. */
const STAKES = 0.2;
/** The least change of a chance that is a moment, and the least distance of two moments, as a share of the match. */
const LEAST = 0.02;
const APART = 0.04;

/**
 * Return the `count` moments that tell how the winners won, in order: by how much their chance changed, up or down, and
 * by how important what happened to them then was. Each is for the winner that it changed most. Without winners, it is
 * for whoever gained most.
 */
export function winningMoments(
  curve: readonly ChancesAt[],
  lines: readonly Line[],
  winners: readonly string[],
  count: number,
): TurningPoint[] {
  const moments = changes(curve).flatMap((gains) => {
    const most = gains.toSorted((a, b) => b.swing - a.swing)[0];
    const own = winners.length ? gains.filter(({ seat }) => winners.includes(seat)) : most ? [most] : [];
    const swing = own.reduce((sum, gain) => sum + gain.swing, 0) / own.length;
    const point = own.toSorted((a, b) => (swing > 0 ? b.swing - a.swing : a.swing - b.swing))[0];
    if (!most || !point || Math.abs(swing) < LEAST) return [];
    const stakes = lines
      .filter(
        ({ about, seats }) =>
          about > most.after && about <= most.about && own.some((gain) => seats.includes(gain.seat)),
      )
      .map(({ importance }) => importance);
    return [{ point, weight: Math.abs(swing) + STAKES * Math.max(0, ...stakes) }];
  });
  const apart = ((curve.at(-1)?.about ?? 0) - (curve[0]?.about ?? 0)) * APART;
  const chosen: TurningPoint[] = [];
  for (const { point } of moments.sort((a, b) => b.weight - a.weight || a.point.about - b.point.about))
    if (chosen.length < count && chosen.every(({ about }) => Math.abs(about - point.about) >= apart))
      chosen.push(point);
  return chosen.sort((a, b) => a.about - b.about);
}

/** Return the greatest rise and the greatest fall of a chance from one moment to the next; null where nothing changed. */
export function extremes(curve: readonly ChancesAt[]): { gain: TurningPoint; loss: TurningPoint } | null {
  const all = changes(curve)
    .flat()
    .sort((a, b) => b.swing - a.swing);
  const [gain, loss] = [all[0], all.at(-1)];
  return gain && loss && gain.swing >= LEAST && loss.swing <= -LEAST ? { gain, loss } : null;
}

/** Return the changes of every seat's chance, moment by moment. */
function changes(curve: readonly ChancesAt[]): TurningPoint[][] {
  return curve.slice(1).map(({ about, chances }, n) => {
    const before = curve[n];
    return Object.entries(chances).map(([seat, chance]) => ({
      after: before?.about ?? -1,
      about,
      seat,
      swing: chance - (before?.chances[seat] ?? 0),
      chance,
    }));
  });
}

/** Who lied most, or broke its word most where lies are secret, and to whom most of all, with the last time. */
export interface Liar {
  readonly seat: string;
  readonly what: 'lied' | 'broke';
  readonly times: number;
  /** Null where nobody was told it more often than the others. */
  readonly victim: { readonly seat: string; readonly times: number } | null;
  readonly last: number;
}

interface Deeds {
  times: number;
  last: number;
  readonly to: Map<string, number>;
}

/** Return the worst liar up to `last`; null if nobody is known to have lied or to have broken its word. */
export function worstLiar(told: (seq: number) => readonly Told[], lines: readonly Line[], last: number): Liar | null {
  const lied = new Map<string, Deeds>();
  const broke = new Map<string, Deeds>();
  for (let at = 0; at <= last; at++) {
    for (const { promise } of told(at)) {
      if (promise?.outcome === 'lie') count(lied, promise.seat, at, promise.public ? [] : promise.recipients);
      if (promise?.outcome === 'broken') count(broke, promise.seat, at, promise.public ? [] : promise.recipients);
    }
  }
  if (!lied.size)
    for (const { kind, seats, about } of lines)
      if (kind === 'lie' && seats[0] !== undefined && about <= last) count(lied, seats[0], about, []);
  return worst(lied, 'lied') ?? worst(broke, 'broke');
}

function count(deeds: Map<string, Deeds>, seat: string, at: number, to: readonly string[]): void {
  const own = deeds.get(seat) ?? { times: 0, last: at, to: new Map<string, number>() };
  own.times += 1;
  own.last = Math.max(own.last, at);
  for (const other of to) if (other !== seat) own.to.set(other, (own.to.get(other) ?? 0) + 1);
  deeds.set(seat, own);
}

function worst(deeds: ReadonlyMap<string, Deeds>, what: Liar['what']): Liar | null {
  const [first] = [...deeds].sort(([, a], [, b]) => b.times - a.times);
  if (!first) return null;
  const [seat, { times, last, to }] = first;
  const [most, next] = [...to].sort(([, a], [, b]) => b - a);
  const victim = most && most[1] > (next?.[1] ?? 0) ? { seat: most[0], times: most[1] } : null;
  return { seat, what, times, victim, last };
}

/**
 * Return the last letter of each of the `count` losers with the highest scores, of `letters`, the latest first. A loser
 * that the reader knows no letter of is left out.
 */
export function lastWords<L extends Pick<Letter, 'sender'>>(
  letters: readonly L[],
  winners: readonly string[],
  scores: Readonly<Record<string, number>>,
  count: number,
): L[] {
  const last = new Map<string, L>();
  for (const letter of letters)
    if (!winners.includes(letter.sender) && !last.has(letter.sender)) last.set(letter.sender, letter);
  const score = ({ sender }: L): number => scores[sender] ?? 0;
  return [...last.values()].sort((a, b) => score(b) - score(a)).slice(0, count);
}
