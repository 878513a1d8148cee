import { describe, expect, it } from 'vitest';

import { board as diplomacy } from '../../boards/diplomacy';
import recorded from '../../boards/diplomacy/fixtures/press.jsonl?raw';
import type { Game } from '../../boards/game';
import { summary } from '../../testing/episode';
import type { Event } from '../../types.gen';
import { EpisodeRecord } from '../record/record';
import { viewOf } from '../view';
import { chaptersOf, foremost, letters, promises } from './telling';

const EVENTS = recorded
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Event);
const board = diplomacy as Game;
const names = board.names();

/** The record of the match after `count` events, and what a viewer who follows it sees. */
function watched(count = EVENTS.length) {
  const record = new EpisodeRecord();
  record.use(board, summary);
  record.take({ do: 'frames', frames: EVENTS.slice(0, count).map((event) => ({ frame: 'event', event })) });
  record.fold();
  const view = viewOf(record, { mode: { name: 'live' }, step: null }, false);
  const read = { at: (seq: number) => record.at(seq), told: (seq: number) => record.at(seq)?.told ?? [] };
  return { view, read, chapters: chaptersOf(read, view, board, names) };
}

describe('the story of a recorded match', () => {
  const { view, read, chapters } = watched();
  const beats = chapters.flatMap((chapter) => chapter.beats);

  it('has a chapter for each year, told season by season', () => {
    expect(chapters[0]?.title).toBe('1901');
    expect(chapters[0]?.beats[0]?.title).toBe('Spring');
    expect(chapters[0]?.headline).not.toBeNull();
  });

  it('opens at most three letters of a round, and keeps the others', () => {
    for (const beat of beats) {
      const written = letters(read, view, beat);
      const rounds = new Set(written.letters.map(({ round }) => round));
      for (const round of rounds)
        expect(written.chosen.filter((letter) => letter.round === round).length).toBeLessThanOrEqual(3);
      expect(written.letters).toEqual(expect.arrayContaining([...written.chosen]));
    }
    expect(beats.some((beat) => letters(read, view, beat).letters.length > 3)).toBe(true);
  });

  it('counts promises where they were judged', () => {
    expect(beats.map((beat) => promises(read, beat, names)).filter(Boolean)[0]).toMatch(/broke/);
  });

  it('puts first its last headlines, and the letters that it opens of the rounds that are over', () => {
    const ends = EVENTS.flatMap(({ type }, seq) => (type === 'NegotiationHeld' ? seq : []));
    let opened = 0;
    for (const end of ends) {
      const early = watched(end + 1);
      const first = foremost(early.read, early.view, board, names);
      const beat = early.chapters.at(-1)?.beats.at(-1);
      expect(first.letters).toEqual(beat && letters(early.read, early.view, beat).chosen);
      opened += first.letters.length;
      const before = watched(end);
      const written = foremost(before.read, before.view, board, names).letters;
      expect(written.every(({ round }) => round > 0)).toBe(true);
      expect(written.length).toBeLessThan(first.letters.length);
    }
    expect(opened).toBeGreaterThan(3);
    const { lines, letters: now } = foremost(read, view, board, names);
    expect(now).toEqual([]);
    const last = chapters.slice(-2);
    expect(lines).toEqual(expect.arrayContaining(last.flatMap(({ headline }) => headline ?? [])));
    expect(lines.length).toBeGreaterThan(last.length);
  });

  it('tells nothing that has not happened yet', () => {
    const early = watched(30);
    expect(early.chapters.at(-1)?.last).toBeLessThanOrEqual(29);
  });
});
