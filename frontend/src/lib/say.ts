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

const NUMERALS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Return a small number as a word, and a larger one in digits: `eleven`, `13`. */
export const numeral = (count: number): string => NUMERALS[count] ?? String(count);
