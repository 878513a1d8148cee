import { expect, it } from 'vitest';

import { curve, decisions, chapter } from './story';
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

it('names the over of a ball', () => {
  expect(chapter('1st innings 4.3')).toBe('1st innings, over 5');
  expect(chapter('Super Over 1, 2nd innings 0.1')).toBe('Super Over 1, 2nd innings, over 1');
  expect(chapter('toss')).toBe('toss');
});

it('has one point of the curve for each chance, which add up, and the decisions of both sides', () => {
  const points = curve(LAST);
  expect(points).toHaveLength(LAST.chances.length);
  for (const { chances } of points) expect((chances['home'] ?? 0) + (chances['away'] ?? 0)).toBeCloseTo(1);
  expect(new Set(decisions(LAST).map(({ seat }) => seat)).size).toBeGreaterThan(0);
});
