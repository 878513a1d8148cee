/** Short texts of numbers, with a minus sign instead of a hyphen. */

const MINUS = '−';

/** Return a number with three significant digits: `0.0464`, `12.3`, `1,730`, `3.1e−6`. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (!Number.isFinite(value)) return '∞';
  if (size < 1e-3 || size >= 1e6) return exponent(value);
  if (size >= 1000) return signless(Math.round(value).toLocaleString('en'));
  return signless(String(Number(value.toPrecision(3))));
}

/** Return a number with its sign and `places` decimals: `+0.046`. */
export function signed(value: number, places = 3): string {
  const text = Math.abs(value).toFixed(places);
  return Number(text) === 0 ? text : `${value < 0 ? MINUS : '+'}${text}`;
}

/** Return a share as a percentage: `12 %`. */
export function percent(value: number): string {
  const part = 100 * value;
  const text = Math.abs(part) > 0 && Math.abs(part) < 1 ? part.toPrecision(1) : String(Math.round(part));
  return `${signless(text)} %`;
}

/** Return a chance in whole per cent, which is neither nothing nor certain before it is: `12 %`, `<1 %`. */
export function chance(value: number): string {
  const part = Math.round(100 * value);
  if (part === 0 && value > 0) return '<1\u00a0%';
  if (part === 100 && value < 1) return '>99\u00a0%';
  return `${part}\u00a0%`;
}

/** Return seconds as `0.42 s`, `41 s`, `3 min` or `1 h 20 min`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${short(Number(seconds.toPrecision(2)))} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest ? ` ${rest} min` : ''}`;
}

function exponent(value: number): string {
  const [digits = '', power = ''] = value.toExponential(1).split('e');
  return `${signless(digits.replace(/\.0$/, ''))}e${signless(power.replace('+', ''))}`;
}

function signless(text: string): string {
  return text.replace('-', MINUS);
}
