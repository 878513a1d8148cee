import type { Names } from '../boards/game';
import type { OutcomeData } from '../types.gen';

/** Return the headline of a match: what its story says now, else its result in words; '' before there is either. */
export function headlineOf(
  outlook: { readonly headline: string } | null | undefined,
  outcome: Pick<OutcomeData, 'text'> | null | undefined,
  names: Pick<Names, 'words'>,
): string {
  return outlook?.headline || (outcome ? names.words(outcome.text) || outcome.text : '');
}
