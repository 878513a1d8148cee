/** Margins around the plot of a chart, in pixels. */
export const EDGE = { left: 42, right: 10, top: 8, bottom: 20 };
