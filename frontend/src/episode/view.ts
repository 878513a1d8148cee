/** What one animation frame shows of an episode: a pure function of its record and the playhead. */

import { stepAfter } from './record/steps';
import { complete, type Store } from './record/store';
import { narrated, pictured, scored, type PlayedRange, type Playhead } from './show/playhead';
import { outlookAt, type Prospect, type Story } from './story/storyLog';
import type { EpisodeRecord } from './record/record';
import type { Landmarks, Moment } from './record/moments';
import type { EpisodeSummary } from '../types.gen';

/** The current view. The object is replaced at most once per animation frame. */
export interface View {
  readonly store: Store;
  readonly seq: number;
  readonly following: boolean;
  /** The status of the match at its head, whatever moment is shown. */
  readonly status: EpisodeSummary['status'];
  readonly paused: boolean;
  /** Time of the last event at the head, in Unix seconds. */
  readonly at: number;
  /** Whether all events from 0 to the head have arrived. */
  readonly complete: boolean;
  /** Null if the events that lead to `seq` have not arrived. */
  readonly moment: Moment<unknown> | null;
  /** The moment whose score may be told, and the one that may be told in words: not before their picture is seen. */
  readonly scored: Moment<unknown> | null;
  readonly narrated: Moment<unknown> | null;
  /** Whether something that has happened is still being shown, or waits for it, while the live end is followed. */
  readonly late: boolean;
  /** The speed of the board's animation, 1 for the usual one. */
  readonly rate: number;
  /** The story up to the head, of which only what is about `narrated` or earlier may be told. */
  readonly story: Story;
  /** The prospects and the headline of `scored`: their figures are those of the board. */
  readonly outlook: Prospect | null;
  /** The board's state one step earlier, if the change may be animated; else null. */
  readonly previous: unknown;
  readonly landmarks: Landmarks;
  /** The range that the address asked for, until the viewer goes elsewhere. */
  readonly range: PlayedRange | null;
}

/** Return the view of `record` at `playhead`; `paced` says whether a live match is shown step by step. */
export function viewOf(record: EpisodeRecord, playhead: Playhead, paced: boolean): View {
  const { store, head, story, landmarks } = record;
  const { mode, step } = playhead;
  const seq = pictured(playhead, head);
  const following = mode.name === 'live';
  const score = record.at(scored(playhead, head));
  const words = record.at(narrated(playhead, head));
  const last = record.at(head)?.shell;
  // A viewer who follows the live end is told nothing of the match before its picture has been seen.
  const shell = following ? (words?.shell ?? last) : last;
  return {
    store,
    seq,
    following,
    status: shell?.status ?? store.episode?.status ?? 'queued',
    paused: shell?.paused ?? store.episode?.paused ?? false,
    at: last?.at ?? store.episode?.created_at ?? 0,
    complete: complete(store),
    moment: record.at(seq),
    scored: score,
    narrated: words,
    late: following && paced && ((step && step.phase !== 'told') || stepAfter(landmarks.steps, seq) !== undefined),
    rate: step?.rate || 1,
    story,
    outlook: score && outlookAt(story, score.seq),
    previous: step?.rate ? (record.at(step.from)?.board ?? null) : null,
    landmarks,
    range: mode.name === 'range' ? mode : null,
  };
}
