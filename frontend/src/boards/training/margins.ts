/** Pixels around the plot of a chart. */
export const EDGE = { left: 42, right: 10, top: 8, bottom: 20 };
