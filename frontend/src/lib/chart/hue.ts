/** Colours that distinguish the items of a list. */

const HUES = [235, 65, 155, 25, 305, 110, 350, 195];

/** Return the colour of the item with this index, among items that are distinguished by colour. */
export function hue(index: number): string {
  const angle = HUES[index % HUES.length];
  const [light, dark] = index < HUES.length ? [55, 72] : [68, 58];
  return `light-dark(oklch(${light}% 0.09 ${angle}), oklch(${dark}% 0.09 ${angle}))`;
}
