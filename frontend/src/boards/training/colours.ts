/** The colours of curves. */

export const MAIN = 'var(--accent)';
export const PEAK = 'var(--live)';
export const SOFT = 'var(--ink-soft)';
export const GOAL = 'var(--gold)';
