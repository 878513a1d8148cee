/** The events of pacts in words. */

import type { PactAccepted, PactBroken, PactKept, PactOffered, PactRefused } from '../events.gen';
import { phaseTitle } from '../phases';
import { powerName } from '../powers';
import { placeName } from './orderText';
import { promiseWords } from './promises';
import { listed } from '../../../lib/say';

/** Return `France offers Germany a pact (FG1): Spring 1901: the army in Paris moves to Burgundy; nobody enters Ruhr`. */
export function offerWords({ pact, power, parties, terms, zones, penalty, counters }: PactOffered): string {
  const others = listed(parties.filter((party) => party !== power).map(powerName));
  const turns = [...new Set(terms.map(({ turn }) => turn))];
  const clauses = turns.map((turn) => {
    const orders = terms.filter((term) => term.turn === turn).map(({ order }) => promiseWords(order));
    return `${phaseTitle(turn).replace(/, .*/, '')}: ${listed(orders)}`;
  });
  if (zones.length > 0) clauses.push(`nobody enters ${listed(zones.map(placeName))}`);
  if (penalty === 'war') clauses.push('or else war');
  const instead = counters ? ` instead of ${counters}` : '';
  return `${powerName(power)} offers ${others} a pact${instead} (${pact}): ${clauses.join('; ')}`;
}

/** Return `Germany accepts the pact with France (FG1)`. */
export function answerWords({ pact, power, parties }: PactAccepted | PactRefused, accepts: boolean): string {
  const others = listed(parties.filter((party) => party !== power).map(powerName));
  return `${powerName(power)} ${accepts ? 'accepts' : 'refuses'} the pact with ${others} (${pact})`;
}

/** Return `France and Germany kept their pact (FG1)`. */
export function keptWords({ pact, parties }: PactKept): string {
  return `${listed(parties.map(powerName))} kept their pact (${pact})`;
}

/** Return `Germany broke its pact with France (FG1): the army in Munich supports …`. */
export function brokenWords({ pact, power, parties, term, order }: PactBroken): string {
  const others = listed(parties.filter((party) => party !== power).map(powerName));
  const [, zone] = /^ZONE (\w+)$/.exec(term) ?? [];
  const breach = zone ? `nobody was to enter ${placeName(zone)}` : `it had promised that ${promiseWords(term)}`;
  return `${powerName(power)} broke its pact with ${others} (${pact}): ${breach}, but ${promiseWords(order)}`;
}
