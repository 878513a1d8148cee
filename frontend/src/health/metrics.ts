/** A reader of the parts of Prometheus' text format (version 0.0.4) that the health page needs. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+([+-]?(?:[\d.]+(?:e[+-]?\d+)?|Inf|NaN))(?:\s|$)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES: Record<string, string> = { n: '\n', '"': '"', '\\': '\\' };

export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    return name && value ? [{ name, labels: labelsOf(labels), value: numberOf(value) }] : [];
  });
}

/** Return the sum of the samples of `name` with these labels. */
export function total(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number {
  return select(samples, name, labels).reduce((sum, { value }) => sum + value, 0);
}

/** Return the sums of the samples of `name` by the value of `label`, the largest first. */
export function by(samples: readonly Sample[], name: string, label: string): [string, number][] {
  const sums = new Map<string, number>();
  for (const { labels, value } of select(samples, name, {})) {
    const key = labels[label] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}

/**
 * Return the upper bound of the bucket with the `share` quantile of histogram `name`: Infinity after the last bucket,
 * null if nothing was counted.
 */
export function atMost(samples: readonly Sample[], name: string, share: number): number | null {
  const buckets = select(samples, `${name}_bucket`, {})
    .map(({ labels, value }) => ({ bound: numberOf(labels['le'] ?? ''), count: value }))
    .sort((a, b) => a.bound - b.bound);
  const all = buckets.at(-1)?.count ?? 0;
  return all ? (buckets.find(({ count }) => count >= share * all)?.bound ?? null) : null;
}

function select(samples: readonly Sample[], name: string, labels: Sample['labels']): Sample[] {
  const wanted = Object.entries(labels);
  return samples.filter((entry) => entry.name === name && wanted.every(([key, value]) => entry.labels[key] === value));
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(LABEL), ([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (whole, escaped: string) => ESCAPES[escaped] ?? whole),
    ]),
  );
}

function numberOf(text: string): number {
  return text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text);
}
