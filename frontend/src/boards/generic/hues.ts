/** Colours for seats that nobody chose colours for: apart in hue, of one lightness, readable in both themes. */
export const HUES = [20, 80, 140, 200, 260, 320, 50, 170, 230, 290].map(
  (hue) => `light-dark(oklch(52% 0.13 ${hue}), oklch(74% 0.12 ${hue}))`,
);
