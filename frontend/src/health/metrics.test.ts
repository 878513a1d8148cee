import { describe, expect, it } from 'vitest';

import { atMost, by, parseMetrics, total } from './metrics';

const TEXT = `# HELP grandstand_events_total Events published.
# TYPE grandstand_events_total counter
grandstand_events_total{game="diplomacy"} 1200.0
grandstand_events_total{game="cricket"} 3.1e+03
# TYPE grandstand_event_lag_seconds histogram
grandstand_event_lag_seconds_bucket{le="0.001"} 90.0
grandstand_event_lag_seconds_bucket{le="0.01"} 99.0
grandstand_event_lag_seconds_bucket{le="+Inf"} 100.0
grandstand_event_lag_seconds_count 100.0
odd{a="say \\"}, {\\" \\\\ so\\n"} 1 1795215375000
grandstand_viewers 7.0
`;

describe('metrics', () => {
  const samples = parseMetrics(TEXT);

  it('reads names, labels and values', () => {
    expect(total(samples, 'grandstand_viewers')).toBe(7);
    expect(total(samples, 'grandstand_events_total')).toBe(4300);
    expect(total(samples, 'grandstand_events_total', { game: 'cricket' })).toBe(3100);
    expect(samples.find(({ name }) => name === 'odd')).toEqual({
      name: 'odd',
      labels: { a: 'say "}, {" \\ so\n' },
      value: 1,
    });
  });

  it('sums by a label, the largest first', () => {
    expect(by(samples, 'grandstand_events_total', 'game')).toEqual([
      ['cricket', 3100],
      ['diplomacy', 1200],
    ]);
  });

  it('bounds a quantile by its bucket, and never makes one up', () => {
    const lag = 'grandstand_event_lag_seconds';
    expect(atMost(samples, lag, 0.5)).toBe(0.001);
    expect(atMost(samples, lag, 0.95)).toBe(0.01);
    expect(atMost(samples, lag, 0.999)).toBe(Infinity);
    expect(atMost(samples, 'nothing', 0.5)).toBeNull();
  });

  it('passes over what it cannot read', () => {
    expect(parseMetrics('no metrics here\n\n{}\n<html>')).toEqual([]);
  });
});
