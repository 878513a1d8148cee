/** Numbers of things, and lists, in English sentences. */

const PLURAL = new Intl.PluralRules('en');
const LIST = new Intl.ListFormat('en');

/** Return the word that agrees with a number: `is` or `are`. */
export const agree = (count: number, singular: string, plural = `${singular}s`): string =>
  PLURAL.select(count) === 'one' ? singular : plural;

/** Return a number of things: `1 match`, `12 matches`. */
export const many = (count: number, singular: string, plural?: string): string =>
  `${count} ${agree(count, singular, plural)}`;

/** Return a list: `France, Italy, and Turkey`. */
export const listed = (words: readonly string[]): string => LIST.format(words);
