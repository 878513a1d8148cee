import { expect, it } from 'vitest';

import { curve } from './story';
import { LAST, STEPS } from '../testing/match';
import { unfold } from './unfold';

it('takes time for a ball, and for nothing else', () => {
  for (const { event, before, after } of STEPS) {
    const { picture, score } = unfold(before, after);
    if (event.type === 'BallBowled') {
      expect(picture).toBeGreaterThan(1000);
      expect(picture).toBeLessThan(5000);
      expect(score).toBeGreaterThan(0);
    } else expect(picture).toBe(0);
  }
});

it('has one point of the curve for each chance, which add up, and the decisions of both sides', () => {
  const { chances: points, decisions } = curve(LAST);
  expect(points).toHaveLength(LAST.chances.length);
  for (const { chances } of points) expect((chances['home'] ?? 0) + (chances['away'] ?? 0)).toBeCloseTo(1);
  expect(new Set(decisions.map(({ seat }) => seat)).size).toBeGreaterThan(0);
});
