import type { Names } from '../boards/game';
import type { OutcomeData } from '../types.gen';

/**
 * Return the headline of a match: its prospects, or its result as its story has it, else the result; '' without any.
 *
 * A story has the result if it calls the match decided: other prospects are older than the result.
 */
export function headlineOf(
  outlook: { readonly headline: string; readonly excitement: number } | null | undefined,
  outcome: Pick<OutcomeData, 'text'> | null | undefined,
  names: Pick<Names, 'words'>,
): string {
  if (outlook?.headline && (!outcome || outlook.excitement === 0)) return outlook.headline;
  return outcome ? names.words(outcome.text) || outcome.text : '';
}
