import { expect, it } from 'vitest';

import review from '../../../grandstand/server/matches/commands.py?raw';
import bodies from '../../../grandstand/server/bodies/matches.py?raw';
import { MESSAGE_CHARACTERS, REVIEW_SECONDS } from './limits';

const numberIn = (source: string, pattern: RegExp): number => Number(pattern.exec(source)?.[1]?.replaceAll('_', ''));

it('has the limits of the server', () => {
  expect(numberIn(review, /^REVIEW_SECONDS = ([\d_.]+)$/m)).toBe(REVIEW_SECONDS);
  expect(numberIn(bodies, /^ {4}text: str \| None = Field\(default=None, max_length=([\d_]+)\)$/m)).toBe(
    MESSAGE_CHARACTERS,
  );
});
