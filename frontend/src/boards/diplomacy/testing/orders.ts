/** Orders for tests, short to write. */

import { readUnit, type PlayedOrder } from '../orders';

type Extra = Partial<Pick<PlayedOrder, 'results' | 'power' | 'bySea' | 'beatenFrom'>>;

function order(kind: PlayedOrder['kind'], unit: string, text: string, extra: Extra): PlayedOrder {
  const plain = { power: 'FRANCE', to: null, helps: null, bySea: false, results: [], beatenFrom: null };
  return { ...plain, kind, unit: readUnit(unit), text: `${unit} ${text}`, ...extra };
}

export const hold = (unit: string, extra: Extra = {}): PlayedOrder => order('hold', unit, 'H', extra);
export const move = (unit: string, to: string, extra: Extra = {}): PlayedOrder => ({
  ...order('move', unit, `- ${to}${extra.bySea ? ' VIA' : ''}`, extra),
  to,
});
export const retreat = (unit: string, to: string, extra: Extra = {}): PlayedOrder => ({
  ...order('retreat', unit, `R ${to}`, extra),
  to,
});
export const support = (unit: string, helped: string, to: string | null = null, extra: Extra = {}): PlayedOrder => ({
  ...order('support', unit, `S ${helped}${to ? ` - ${to}` : ''}`, extra),
  helps: readUnit(helped),
  to,
});
export const convoy = (unit: string, helped: string, to: string, extra: Extra = {}): PlayedOrder => ({
  ...order('convoy', unit, `C ${helped} - ${to}`, extra),
  helps: readUnit(helped),
  to,
});
export const build = (unit: string, extra: Extra = {}): PlayedOrder => order('build', unit, 'B', extra);
export const disband = (unit: string, extra: Extra = {}): PlayedOrder => order('disband', unit, 'D', extra);
