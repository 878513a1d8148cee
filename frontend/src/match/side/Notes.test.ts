import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';

import { board } from '../../boards/diplomacy';
import { latestNotes } from '../../episode/story/notes';
import { EMPTY, type Slot } from '../../episode/record/store';
import { event, summary, toldOf } from '../../testing/episode';
import type { EpisodeSummary } from '../../types.gen';
import Notes from './Notes.svelte';

const SEATS = ['FRANCE', 'ITALY'];
const seats = SEATS.map((seat) => ({ seat, player: 'm', kind: 'llm', prompt: '' }));
const episode: EpisodeSummary = { ...summary, game: 'diplomacy', seats };

const noted = (
  seat: string,
  notes: string,
  trust: Record<string, number>,
  left_out: string[] = [],
  aims: string[] = [],
) => ({
  type: 'NotesTaken',
  audience: [seat],
  data: { seat, turn: 'S1901M', notes, trust, left_out, aims },
});
const batch = (seq: number, ...events: ReturnType<typeof noted>[]): Slot => event(seq, 'PrivateBatch', { events });

const SLOTS: Slot[] = [
  event(0, 'EpisodeCreated', {}),
  batch(1, noted('FRANCE', 'First.', { ITALY: 2 })),
  batch(2, noted('FRANCE', 'Watch <Italy>.', { ITALY: -1, GERMANY: 2 }, ['trust.MARS: is no other power'], ['ITALY'])),
  null,
  batch(4, noted('ITALY', '', { FRANCE: 0 })),
];

const page = (slots: Slot[], seq: number): string =>
  render(Notes, {
    props: { view: { store: { ...EMPTY, episode, slots }, seq }, names: board.names(), told: toldOf(board, slots) },
  }).body;

describe('the notes of seats', () => {
  it('are the latest of each at the moment that is looked at', () => {
    const at = (seq: number) =>
      latestNotes(toldOf(board, SLOTS), seq, SEATS).map(({ seat, text }) => `${seat} ${text}`);
    expect(at(0)).toEqual([]);
    expect(at(1)).toEqual(['FRANCE First.']);
    expect(at(4)).toEqual(['FRANCE Watch <Italy>.', 'ITALY ']);
  });

  it('are shown with the trust, and with what could not be kept', () => {
    const body = page(SLOTS, 4);
    expect(body).toContain('Watch &lt;Italy>.');
    expect(body).not.toContain('First.');
    expect(body).toMatch(/Italy −1<\/li>/);
    expect(body).toMatch(/Germany \+2<\/li>/);
    expect(body).toMatch(/France 0<\/li>/);
    expect(body).toContain('aims at Italy');
    expect(body).toContain('left out: trust.MARS: is no other power');
  });

  it('are nothing where there are none, or none that the viewer may know', () => {
    const withheld = SLOTS.map((slot) =>
      slot?.type === 'PrivateBatch' ? event(slot.seq, 'PrivateBatch', { events: [] }) : slot,
    );
    for (const body of [page([], -1), page(withheld, 4)]) expect(body).not.toContain('Notes');
  });
});
