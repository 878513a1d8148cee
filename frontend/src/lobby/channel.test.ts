import { describe, expect, it } from 'vitest';

import type { EpisodeSummary, OutlookUpdated } from '../types.gen';
import { chooseMain, countdown, HOLD, MARGIN, nextText, RESULT, type Candidates, type Main } from './channel';

const NOW = 10_000;
const outcome = { reason: 'solo', winners: [], scores: {}, text: 'Over.' };

function episode(id: string, excitement: number | null, more: Partial<EpisodeSummary> = {}): EpisodeSummary {
  const outlook: OutlookUpdated | null =
    excitement === null ? null : { chances: { a: 0.5, b: 0.5 }, excitement, headline: '', rests_on: [] };
  return {
    episode_id: id,
    status: 'live',
    origin: 'showcase',
    created_at: 1,
    started_at: 1,
    outlook,
    ...more,
  } as EpisodeSummary;
}

const among = (live: EpisodeSummary[], ended: EpisodeSummary[] = [], awaited: string[] = []): Candidates => ({
  live,
  ended,
  awaited: new Set(awaited),
});
const at = (id: string, since = 0): Main => ({ id, since });

describe('the match in the main place', () => {
  it('is the most exciting live one', () => {
    const live = [episode('calm', 0.1), episode('tense', 0.8), episode('untold', null)];
    expect(chooseMain(null, among(live), NOW)).toEqual({ id: 'tense', since: NOW });
  });

  it('is one whose story knows no chances of winning only where there is no other match', () => {
    const untold = { chances: {}, excitement: 0.9, headline: '', rests_on: [] };
    const random = episode('random', null, { outlook: untold, created_at: 99 });
    expect(chooseMain(null, among([random, episode('told', 0.1)]), NOW)?.id).toBe('told');
    expect(chooseMain(at('random', NOW - HOLD), among([random, episode('told', 0.1)]), NOW)?.id).toBe('told');
    expect(chooseMain(null, among([random, episode('run', null, { origin: 'trainer' })]), NOW)?.id).toBe('random');
  });

  it('is the newest where no match says how exciting it is', () => {
    const live = [episode('old', null, { created_at: 5 }), episode('new', null, { created_at: 9 })];
    expect(chooseMain(null, among(live), NOW)?.id).toBe('new');
  });

  it.each([
    ['is paused', { paused: true }],
    ['waits in the queue', { status: 'queued' as const, started_at: null }],
    ['is live by name and has not begun', { started_at: null }],
  ])('is never one that %s', (_, more) => {
    const live = [episode('still', 0.9, more), episode('moves', 0)];
    expect(chooseMain(null, among(live), NOW)?.id).toBe('moves');
    expect(chooseMain(at('still'), among(live), NOW)?.id).toBe('moves');
    expect(chooseMain(null, among(live.slice(0, 1)), NOW)).toBeNull();
  });

  it('is never one that waits for a person', () => {
    const live = [episode('asks', 0.9), episode('moves', 0)];
    expect(chooseMain(at('asks'), among(live, [], ['asks']), NOW)?.id).toBe('moves');
  });

  it('is a training run only where there is no match', () => {
    const run = episode('run', null, { origin: 'trainer', created_at: 99 });
    expect(chooseMain(null, among([run, episode('match', null)]), NOW)?.id).toBe('match');
    expect(chooseMain(null, among([run]), NOW)?.id).toBe('run');
  });

  it('is a tournament only where there is no match, and never one that is over', () => {
    const live = episode('cup', null, { game: 'tournament', created_at: 99 });
    expect(chooseMain(null, among([live, episode('match', null)]), NOW)?.id).toBe('match');
    expect(chooseMain(null, among([live]), NOW)?.id).toBe('cup');
    const outcome = { reason: 'decided', winners: [], scores: {}, text: '' };
    const over = episode('over', null, { game: 'tournament', status: 'finished', outcome });
    expect(chooseMain(null, among([], [over]), NOW)).toBeNull();
  });

  it('stays while another is not clearly more exciting, and for a while in any case', () => {
    const live = (other: number): Candidates => among([episode('shown', 0.4), episode('other', other)]);
    const long = NOW - HOLD;
    expect(chooseMain(at('shown', long), live(0.4 + MARGIN - 0.01), NOW)?.id).toBe('shown');
    expect(chooseMain(at('shown', long + 1), live(0.9), NOW)?.id).toBe('shown');
    expect(chooseMain(at('shown', long), live(0.9), NOW)).toEqual({ id: 'other', since: NOW });
  });

  it('does not change back and forth when two matches take turns at being a little more exciting', () => {
    let main: Main | null = null;
    const shown = new Set<string>();
    for (let second = 0; second < 600; second++) {
      const swing = second % 20 < 10 ? 0.06 : -0.06;
      main = chooseMain(main, among([episode('a', 0.5 + swing), episode('b', 0.5 - swing)]), NOW + second);
      shown.add(main?.id ?? '');
    }
    expect(shown.size).toBe(1);
  });

  it('shows a result for a moment, then the next live match', () => {
    const ended = [episode('over', 1, { status: 'finished', ended_at: NOW, outcome })];
    const live = [episode('other', 0.3)];
    expect(chooseMain(at('over'), among(live, ended), NOW + RESULT - 1)?.id).toBe('over');
    expect(chooseMain(at('over'), among(live, ended), NOW + RESULT)?.id).toBe('other');
  });

  it('keeps the last result while no match is live, and begins with it', () => {
    const ended = [
      episode('stopped', 1, { status: 'stopped', ended_at: NOW, outcome: null }),
      episode('over', 1, { status: 'finished', ended_at: NOW, outcome }),
    ];
    expect(chooseMain(at('over'), among([], ended), NOW + 3600)?.id).toBe('over');
    expect(chooseMain(null, among([], ended), NOW)?.id).toBe('over');
    expect(chooseMain(at('stopped'), among([], ended), NOW)?.id).toBe('over');
    expect(chooseMain(null, among([]), NOW)).toBeNull();
  });
});

describe('the time until the next match', () => {
  it('counts down to zero and no further', () => {
    expect(countdown(NOW + 13.2, NOW)).toBe('0:14');
    expect(countdown(NOW + 75, NOW)).toBe('1:15');
    expect(countdown(NOW - 5, NOW)).toBe('0:00');
  });

  it('is told between two matches alone', () => {
    expect(nextText({ game: 'chess', next_at: NOW + 14 }, 'Chess', NOW)).toBe('Next: Chess in 0:14');
    expect(nextText({ game: 'chess', next_at: NOW - 1 }, 'Chess', NOW)).toBe('Next: Chess in a moment');
    expect(nextText({ game: 'chess', episode_id: 'chess-1' }, 'Chess', NOW)).toBe('');
  });
});
