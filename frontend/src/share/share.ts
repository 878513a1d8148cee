/** The links and files by which a moment or a range of a match is shared. Pure; addresses begin at `/`. */

/** A range of events: what follows after `first` up to `last`. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** A range that the user may choose, by its words. */
export interface RangeChoice extends Range {
  readonly label: string;
}

const episode = (id: string): string => `/api/episodes/${encodeURIComponent(id)}`;

/** Return the address of the card of a moment. */
export const cardPath = (id: string, seq: number): string => `${episode(id)}/card?seq=${seq}`;

/** Return the address of the clip of a range. */
export const clipPath = (id: string, { first, last }: Range): string =>
  `${episode(id)}/clip?first=${first}&last=${last}`;

/** Return the address of the embedded page of a match: of a range, or of the whole match. */
export function embedPath(id: string, range: Range | null): string {
  return `/embed/${encodeURIComponent(id)}${range ? `?first=${range.first}&last=${range.last}` : ''}`;
}

/** Return the HTML element that shows the embedded page at `url`. */
export function embedCode(url: string, title: string): string {
  const attributes = {
    src: url,
    title,
    width: '720',
    height: '540',
    style: 'border: 0; max-width: 100%',
    loading: 'lazy',
    allow: 'fullscreen',
  };
  const text = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `<iframe ${text.join(' ')}></iframe>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(value: string): string {
  return value.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

const TURNS = [
  [1, 'The last turn'],
  [3, 'The last 3 turns'],
  [10, 'The last 10 turns'],
] as const;

/**
 * Return the ranges that end at `seq`, the shortest first. `starts` are the numbers at which the turns begin. A turn that
 * begins at `seq` has not been played, so it does not count.
 */
export function rangesTo(seq: number, starts: readonly number[]): RangeChoice[] {
  const begun = starts.filter((start) => start < seq);
  const choices = TURNS.filter(([count]) => count < begun.length).map(([count, label]) => ({
    label,
    first: begun.at(-count) as number,
    last: seq,
  }));
  return begun.length ? [...choices, { label: 'From the start', first: begun[0] as number, last: seq }] : [];
}
