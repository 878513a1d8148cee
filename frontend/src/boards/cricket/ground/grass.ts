/** The ground's colours for the light and the dark theme. White and both sides' shirts contrast with each of them. */

export const GRASS = {
  stands: 'light-dark(#dfe0cf, #0d151a)',
  around: 'light-dark(#54794a, #1a2f22)',
  outfield: 'light-dark(#6a9a58, #24452f)',
  stripe: 'light-dark(#5f9050, #1f3d29)',
  square: 'light-dark(#78a562, #2c5138)',
  pitch: 'light-dark(#d9c496, #a08f66)',
  line: 'rgb(255 255 255 / 0.85)',
  faint: 'rgb(255 255 255 / 0.5)',
  rope: 'light-dark(#fdf8ea, #e8e0cc)',
  shade: 'rgb(0 0 0 / 0.28)',
} as const;

/** Colours of the paths of balls on grass, by result. */
export const WAYS: Readonly<Record<string, string>> = {
  dot: '#d5dfcd',
  run: '#ffffff',
  four: '#7fd6ff',
  six: '#ffd75e',
  wicket: '#ff6b57',
};

/** The same colours on the page's background, for chips and charts. */
export const MARKS: Readonly<Record<string, string>> = {
  dot: 'light-dark(#7d8478, #8b948f)',
  run: 'light-dark(#4d5a52, #c7cfc6)',
  four: 'light-dark(#12688f, #6cc4ee)',
  six: 'light-dark(#8c6500, #f0c64e)',
  wicket: 'light-dark(#b8321b, #ff7a5c)',
};

/** The same colours on the pitch, in both themes. */
export const SPOTS = { dot: '#6d6a5a', run: '#1f3b2c', four: '#0b5f8a', six: '#8a3fa0', wicket: '#b8231b' } as const;
