/**
 * The map's colours in both themes. The washes of the seven powers and of neutral land differ by at least 0.065 in
 * OKLab for normal vision and for vision without red, green or blue cones (Machado et al. 2009). Ink has a contrast of
 * 4.5:1 on all light washes; on the dark ones of Italy, Russia and Turkey it has less, so names on land need `halo`
 * behind them.
 */

/** Colours of one power: the wash over its provinces, and the strong colour of its frontier, units and name. */
export interface PowerColours {
  readonly wash: string;
  readonly strong: string;
}

export const POWERS: Readonly<Record<string, PowerColours>> = {
  AUSTRIA: { wash: 'light-dark(#cf7656, #8c3e24)', strong: 'light-dark(#9c3424, #ec8f78)' },
  ENGLAND: { wash: 'light-dark(#7a96d0, #3a4a8b)', strong: 'light-dark(#2c4489, #9db0f2)' },
  FRANCE: { wash: 'light-dark(#97cdf4, #10709c)', strong: 'light-dark(#14679a, #7fcaf5)' },
  GERMANY: { wash: 'light-dark(#9b9890, #696865)', strong: 'light-dark(#484643, #cfccc6)' },
  ITALY: { wash: 'light-dark(#95bb78, #5f8e69)', strong: 'light-dark(#3a6f2b, #a5dc90)' },
  RUSSIA: { wash: 'light-dark(#c9acc1, #9f85ad)', strong: 'light-dark(#7d4779, #e6c4e6)' },
  TURKEY: { wash: 'light-dark(#ecd27a, #a6730c)', strong: 'light-dark(#856208, #f6d277)' },
};

export const MAP = {
  sea: 'light-dark(#c0d2d4, #0f1c26)',
  shallow: 'light-dark(#d3e0de, #1b2d39)',
  land: 'light-dark(#f7f1e3, #343b3f)',
  neutral: 'light-dark(#e9e2d1, #242c31)',
  ink: 'light-dark(#1b252e, #f3ecdc)',
  /** Around names on land, below the ink. */
  halo: 'light-dark(rgb(247 241 227 / 0.25), rgb(15 22 28 / 0.55))',
  coast: 'light-dark(#44545c, #8fa3ab)',
  border: 'light-dark(#5a5248, #d8cfbd)',
  seaBorder: 'light-dark(#7d99a0, #3b5564)',
  seaInk: 'light-dark(#3c6471, #7fa5b5)',
  /** The orders and empty places of pacts, in no power's colour. */
  pact: 'light-dark(#b3136b, #ff9ad1)',
  graticule: 'light-dark(#a9c1c4, #1c2f3c)',
} as const;
