/** The colours of arms. */

import { hue } from '../../lib/chart/hue';
import type { Experiment } from './state';

/** Return the colour of an arm, by its place in the plan. */
export const colour = ({ plan }: Experiment, arm: string): string =>
  hue(Math.max(0, plan?.arms.findIndex((item) => item.arm === arm) ?? 0));
