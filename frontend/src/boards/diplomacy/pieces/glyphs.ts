/** Outlines of the units at (0, 0) with radius 12: a shield is an army, a ship is a fleet. */

export const SHIELD = 'M-10.5-11.5H10.5V-.5C10.5 6.5 6 10.5 0 13.5C-6 10.5-10.5 6.5-10.5-.5Z';
export const SAIL = 'M-8.5-12.5H8.5C11-7.5 11-2 8.5 3.5H-8.5C-11-2-11-7.5-8.5-12.5Z';
export const HULL = 'M-15.5 2.5C-10.5 6 10.5 6 15.5 2.5C15 9.5 9.5 13 0 13C-9.5 13-15 9.5-15.5 2.5Z';
/** The middle of the power's letter. */
export const LETTER = { A: 0, F: -4.2 } as const;

/** A star with eight points, for a standoff. */
export const BURST = star(8, 7, 2.9);
/** Other marks of orders: a cut support, a failed order, a new unit. */
export const CUT = 'M-3.6 5L.4-5M-.4 5L3.6-5';
export const CROSS = 'M-3.6-3.6L3.6 3.6M-3.6 3.6L3.6-3.6';
/** A dagger along the x axis, its point to the right. */
export const DAGGER = 'M-11-1.3H-5V-5H-2.6V-2.2L11 0L-2.6 2.2V5H-5V1.3H-11Z';
export const HALO = 'M-19 0a19 19 0 1 1 38 0a19 19 0 1 1-38 0Z';

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, n) => {
    const radius = n % 2 ? inner : outer;
    const angle = (Math.PI * n) / points;
    return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${corners.join('L')}Z`;
}
