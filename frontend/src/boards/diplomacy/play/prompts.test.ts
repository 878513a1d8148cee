import { expect, test } from 'vitest';

import type { Slot } from '../../../seat/slots';
import { stranded } from './prompts';

const unit = (name: string, ...words: string[]): Slot => ({
  kind: 'pick',
  name,
  prompt: '',
  options: words.map((word) => ({ word, text: word, help: '', target: '', kind: '' })),
});
const SLOTS = [
  unit('LON', 'A LON H', 'A LON - BEL VIA'),
  unit('ENG', 'F ENG H', 'F ENG C A LON - BEL', 'F ENG C A LON - HOL'),
  unit('NTH', 'F NTH H', 'F NTH C A LON - BEL'),
];

test('a move by sea without a convoy names the fleets that can carry it', () => {
  const [army] = stranded(SLOTS, { LON: 'A LON - BEL VIA', ENG: 'F ENG H' });
  expect(army?.convoys).toEqual([
    { slot: 'ENG', word: 'F ENG C A LON - BEL' },
    { slot: 'NTH', word: 'F NTH C A LON - BEL' },
  ]);
});

test('a move that one fleet carries is not stranded, nor is a move by land', () => {
  expect(stranded(SLOTS, { LON: 'A LON - BEL VIA', NTH: 'F NTH C A LON - BEL' })).toEqual([]);
  expect(stranded(SLOTS, { LON: 'A LON H', ENG: 'F ENG H' })).toEqual([]);
});
