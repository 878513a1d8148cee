import { describe as group, expect, it } from 'vitest';

import { begin, judged, runOf } from './state';
import { after, analysed, changed, criterion, episode, planned, verdict } from './testing/plan';
import {
  causeWords,
  claim,
  describe,
  difference,
  estimateWords,
  line,
  markers,
  powerWords,
  runWords,
  sign,
  tally,
  verdictReason,
  verdictWord,
} from './words';

const only = (...args: Parameters<typeof after>) => {
  const [item] = judged(after(...args));
  if (!item) throw new Error('there is no criterion');
  return item;
};

group('a verdict', () => {
  it('is a claim only if no run is missing', () => {
    expect(verdictWord(only(analysed(3, 6, verdict())))).toBe('Supported');
    const early = only(analysed(3, 2, verdict({ missing: ['B-s3'] })));
    expect(sign(early)).toBe('missing');
    expect(verdictWord(early)).toBe('Not decided yet');
    expect(verdictReason(early)).toBe('It waits for 1 run: B-s3.');
    expect(verdictWord(only())).toBe('Not decided yet');
    expect(verdictReason(only())).toBe('No run is completed yet.');
  });

  it('tells undecided with all runs from undecided without', () => {
    const item = only(
      analysed(3, 6, verdict({ verdict: 'undecided', reason: 'the interval has both 0 and the least effect' })),
    );
    expect(sign(item)).toBe('undecided');
    expect(verdictReason(item)).toBe('The interval has both 0 and the least effect.');
  });

  it('names a few of many missing runs', () => {
    const missing = ['A-s1', 'A-s2', 'A-s3', 'B-s1', 'B-s2', 'B-s3'];
    expect(verdictReason(only(analysed(3, 0, verdict({ missing }))))).toBe(
      'It waits for 6 runs: A-s1, A-s2, A-s3, B-s1 and 2 more.',
    );
  });

  it('has its power, and the seeds that would be enough', () => {
    expect(powerWords(verdict({ power: 0.57, seeds_needed: 9 }), 'greater')).toBe(
      'Power 57 %: the chance of “supported” if the least effect were true; 9 seeds would give 80 %.',
    );
    expect(powerWords(verdict({ power: 0.998, seeds_needed: null }), 'equivalent')).toMatch(
      /^Power over 99 %: .* no difference\.$/,
    );
    expect(powerWords(verdict({ power: null }), 'less')).toBe('');
  });
});

group('a criterion', () => {
  it('is told with the least effect', () => {
    const words = (direction: Parameters<typeof criterion>[0]) => claim(criterion(direction));
    expect(words({ direction: 'greater' })).toBe('B − A is above 0; 0.05 would matter');
    expect(words({ direction: 'less' })).toBe('B − A is below 0; −0.05 would matter');
    expect(words({ direction: 'not_less' })).toBe('B − A is not below −0.05');
    expect(words({ direction: 'equivalent', comparison: 'effect of clip' })).toBe('Effect of clip is within ±0.05');
  });

  it('has its difference in words', () => {
    expect(estimateWords(verdict().difference, difference, 0.975)).toBe(
      '+0.1, 97.5 % interval +0.06 to +0.14, 3 seeds',
    );
    expect(estimateWords({ mean: -0.1, n: 1 }, difference)).toBe('−0.1, no interval, 1 seed');
    expect(estimateWords({ n: 0 }, difference)).toBe('no value yet');
  });
});

group('a run', () => {
  it('is told with its step, or with its cause', () => {
    const experiment = after(
      changed(3, 'A', 1, { step: 12 }),
      changed(4, 'B', 1, {
        status: 'failed',
        stage: '',
        step: 23,
        cause: 'training',
        message: 'the loss is not finite',
      }),
    );
    expect(runWords(runOf(experiment, 'A', 1))).toBe('A-s1: training, step 12 of 40');
    expect(runWords(runOf(experiment, 'B', 1))).toBe('B-s1: failed, step 23 of 40, training: the loss is not finite');
    expect(runWords(runOf(experiment, 'B', 3))).toBe('B-s3: if undecided');
    expect(causeWords('killed')).toBe('It was killed');
    expect(causeWords('moonlight')).toBe('Moonlight');
  });
});

group('the log', () => {
  it('tells the plan, new states, and verdicts', () => {
    expect(describe(planned(), begin(episode))).toBe('The plan: 2 arms with 3 seeds each');
    const running = after(changed(3, 'A', 1));
    expect(describe(changed(3, 'A', 1), after())).toBe('A-s1: training, step 0 of 40');
    expect(describe(changed(4, 'A', 1, { step: 2 }), running)).toBe('');
    expect(describe(analysed(5, 6, verdict()), running)).toBe('B gains more: supported');
    expect(describe(analysed(5, 2, verdict({ missing: ['A-s3'] })), running)).toBe('');
  });

  it('marks verdicts and failures, each once', () => {
    const decided = after(analysed(5, 6, verdict()));
    expect(markers(analysed(5, 6, verdict()), after())).toMatchObject([
      { label: 'B gains more: supported', weight: 3 },
    ]);
    expect(markers(analysed(6, 6, verdict()), decided)).toEqual([]);
    expect(markers(changed(7, 'B', 2, { status: 'failed' }), decided)).toMatchObject([{ seat: 'B', weight: 2 }]);
  });

  it('counts the runs', () => {
    const experiment = after(
      changed(3, 'A', 1, { status: 'completed' }),
      changed(4, 'B', 1),
      analysed(5, 6, verdict()),
    );
    expect(line(experiment)).toBe('1 completed, 1 running, 4 planned; 1 of 1 criterion judged');
    expect(tally(experiment, 'A')).toBe('1/3');
    expect(tally(begin(episode), 'A')).toBe('–');
  });
});
