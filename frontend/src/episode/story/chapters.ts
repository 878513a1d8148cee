/** The story of a match in chapters, up to a moment. Pure. */

import type { ChancesAt, Names } from '../../boards/game';
import type { Mark, Tick } from '../record/moments';
import { countedLines, factOf, factsOf } from './facts';
import { BAR, byImportance, chooseLines } from './selection';
import type { Story, StoryLine } from './storyLog';

export interface Sentence {
  /** The number of the moment that it tells. */
  readonly about: number;
  readonly text: string;
  readonly importance: number;
  /** The moments that it rests on, in order. */
  readonly links: readonly number[];
  readonly mark: 'betrayal' | 'turning' | null;
  /** The player of the roster that worded it, or ''. */
  readonly by: string;
  /** Who says it: `analyst`, or '' for the commentator. */
  readonly speaker: string;
}

/** A part of a chapter that is told together: a season, an over. */
export interface Beat {
  /** Its name in the chapter; '' if the chapter is one. */
  readonly title: string;
  readonly first: number;
  /** The number before the next beat, or the moment told. */
  readonly last: number;
  /** What is told of it, the most important first. */
  readonly lines: readonly Sentence[];
}

export interface Chapter {
  readonly title: string;
  readonly first: number;
  readonly last: number;
  /** Its most important line, which no beat repeats. */
  readonly headline: Sentence | null;
  /** In order. */
  readonly beats: readonly Beat[];
}

export interface StorySources {
  readonly story: Story;
  readonly ticks: readonly Tick[];
  readonly marks: readonly Mark[];
  /** The steps, and the sentence of each; used for records without a story. */
  readonly steps: readonly number[];
  readonly text: (seq: number) => string | null;
  readonly turning: readonly TurningPoint[];
}

const BETRAYAL = /stab|betray|broken|broke/;
/** Facts of at least this importance are told even if the commentator has not mentioned them. */
const TELLING = 0.6;

/** Return the chapters that have begun at `narrated`, in order. */
export function chapters(names: Names, sources: StorySources, narrated: number): Chapter[] {
  const bar = sources.story.lines.length ? BAR : 0;
  const sentences = sentencesOf(sources).filter(({ about }) => about <= narrated);
  const starts = startsOf(names, sources.ticks).filter(({ first }) => first <= narrated);
  return [...new Set(starts.map(({ chapter }) => chapter))].map((title) => {
    const beats = starts.flatMap(({ chapter, beat, first }, n) => {
      const last = Math.min(narrated, (starts[n + 1]?.first ?? Infinity) - 1);
      const own = sentences.filter(({ about }) => about >= first && about <= last);
      return chapter === title ? [{ title: beat, first, last, lines: chooseLines(own, bar) }] : [];
    });
    const told = beats.flatMap(({ lines }) => lines).sort(byImportance);
    const headline = told.find(({ speaker }) => !speaker) ?? told[0] ?? null;
    return {
      title,
      first: beats[0]?.first ?? 0,
      last: beats.at(-1)?.last ?? narrated,
      headline,
      beats: beats.map(({ lines, ...beat }) => ({ ...beat, lines: lines.filter((line) => line !== headline) })),
    };
  });
}

interface Start {
  readonly chapter: string;
  readonly beat: string;
  readonly first: number;
}

function startsOf(names: Names, ticks: readonly Tick[]): Start[] {
  const starts: Start[] = [];
  for (const { seq, turn } of ticks) {
    const { chapter, beat = '' } = names.turn(turn);
    const last = starts.at(-1);
    if (last?.chapter !== chapter || last.beat !== beat) starts.push({ chapter, beat, first: seq });
  }
  return starts;
}

interface Candidate extends Sentence {
  readonly kind: string | null;
  readonly seats: readonly string[];
}

function sentencesOf({ story, steps, marks, text, turning }: StorySources): Candidate[] {
  const betrayals = new Set(marks.filter(({ kind }) => kind === 'betrayal').map(({ seq }) => seq));
  // One batch may hold both broken and kept promises: its mark on the timeline does not tell which line is about which.
  const mark = (about: number, kind = ''): Sentence['mark'] =>
    (kind ? BETRAYAL.test(kind) : betrayals.has(about)) ? 'betrayal' : null;
  const lines = story.lines.length
    ? storySentences(story, mark)
    : stepSentences(steps, marks, text).map((line) => ({ ...line, mark: mark(line.about) }));
  const turns = new Set(turning.map((point) => tellsOf(lines, point)));
  return lines.map((line) => (turns.has(line) && line.mark === null ? { ...line, mark: 'turning' } : line));
}

/** The importance from which a deed explains a turning point: a bounce does not. */
const DEED = 0.25;
/** Facts that state the change of a chance, and not what changed it. */
const SWING = /^(swing|turning-point)$/;

/** Return the most important of `lines` about what the seat that gained at a turning point has done to gain. */
export function tellsOf<L extends Pick<StoryLine, 'about' | 'importance' | 'kind' | 'seats'>>(
  lines: readonly L[],
  { after, about: last, seat }: TurningPoint,
): L | undefined {
  const own = lines.filter(({ about, seats }) => about > after && about <= last && seats[0] === seat);
  const swings = own.filter(({ kind }) => SWING.test(kind ?? ''));
  const deeds = own.filter((line) => line.importance >= DEED && !swings.includes(line));
  return (deeds.length ? deeds : swings).reduce<L | undefined>(
    (best, line) => (best && best.importance >= line.importance ? best : line),
    undefined,
  );
}

/** The sentences of each story, apart from the turning points: a story is replaced when it changes. */
const SENTENCES = new WeakMap<Story, Candidate[]>();

function storySentences(story: Story, mark: (about: number, kind: string) => Sentence['mark']): Candidate[] {
  const known = SENTENCES.get(story);
  if (known) return known;
  const commented = new Set(story.lines.flatMap(({ kind, restsOn }) => (kind === null ? restsOn : [])));
  const comments = commented.size > 0;
  const facts = factsOf(story);
  const counted = countedLines(story);
  const sentences = story.lines
    .filter(({ kind, importance, restsOn }) => {
      if (kind === null || !comments) return true;
      return importance >= TELLING && !restsOn.some((seq) => commented.has(seq));
    })
    .filter((line) => !counted.has(line))
    .map((line): Candidate => {
      const fact = line.kind === null && line.tells === null ? factOf(facts, line) : undefined;
      const { about, text, importance, restsOn, by, kind, speaker } = line;
      return {
        about,
        text,
        importance,
        by,
        kind,
        speaker,
        // A comment of an older record names no seats; its fact does.
        seats: line.seats.length ? line.seats : (fact?.seats ?? []),
        links: restsOn.length ? [...new Set(restsOn)].sort((a, b) => a - b) : [about],
        mark: mark(about, line.kind ?? line.tells ?? fact?.kind ?? ''),
      };
    });
  SENTENCES.set(story, sentences);
  return sentences;
}

const WEIGHTS = [0, 0.35, 0.6, 1];

/** Return the sentences of the steps of a record without a story, without the titles of turns. */
function stepSentences(
  steps: readonly number[],
  marks: readonly Mark[],
  text: (seq: number) => string | null,
): Candidate[] {
  const weights = new Map<number, number>();
  for (const { seq, weight } of marks) weights.set(seq, Math.max(weight, weights.get(seq) ?? 0));
  return steps.flatMap((seq, n) => {
    const words = text(seq);
    if (!words) return [];
    let weight = 0;
    for (let at = (steps[n - 1] ?? -1) + 1; at <= seq; at++) weight = Math.max(weight, weights.get(at) ?? 0);
    const importance = WEIGHTS[weight] ?? 0;
    return [
      { about: seq, text: words, importance, links: [seq], mark: null, by: '', speaker: '', kind: null, seats: [] },
    ];
  });
}

/** A change of the chances of winning: after the event `after` up to `about`, by `swing` to `chance`, for `seat`. */
export interface TurningPoint {
  readonly after: number;
  readonly about: number;
  readonly seat: string;
  readonly swing: number;
  readonly chance: number;
}

const LEAST = 0.04;
/** The least distance of two turning points, as a share of the match. */
const APART = 0.04;

/** Return the `count` greatest changes of a chance in `curve`, in order, each for the seat that gained most by it. */
export function turningPoints(curve: readonly ChancesAt[], count: number): TurningPoint[] {
  const changes = curve.slice(1).flatMap((point, n): TurningPoint[] => {
    const before = curve[n]?.chances ?? {};
    const gains = Object.entries(point.chances).map(([seat, chance]) => ({
      after: curve[n]?.about ?? -1,
      about: point.about,
      seat,
      swing: chance - (before[seat] ?? 0),
      chance,
    }));
    const most = gains.sort((a, b) => b.swing - a.swing)[0];
    return most && most.swing >= LEAST ? [most] : [];
  });
  const apart = ((curve.at(-1)?.about ?? 0) - (curve[0]?.about ?? 0)) * APART;
  const chosen: TurningPoint[] = [];
  for (const change of changes.sort((a, b) => b.swing - a.swing || a.about - b.about)) {
    if (chosen.length < count && chosen.every(({ about }) => Math.abs(about - change.about) >= apart))
      chosen.push(change);
  }
  return chosen.sort((a, b) => a.about - b.about);
}

/** Return the moment offered for a fork of a match that is over: its last turning point before the last turn. */
export function forkPoint(turning: readonly TurningPoint[], ticks: readonly Tick[]): number | undefined {
  const lastTurn = ticks.at(-1)?.seq ?? 0;
  return turning.findLast(({ about }) => about < lastTurn)?.about ?? ticks.at(-2)?.seq ?? ticks.at(-1)?.seq;
}
