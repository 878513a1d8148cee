/** Marks for the timeline. */

import type { OutcomeData } from '../../../types.gen';
import type { Marker } from '../../game';
import type { BallBowled, GameEvent } from '../events.gen';
import { milestones } from '../play';
import type { State } from '../state';
import { sentence } from './tell';
import { describeBall, surname, wicketLine } from '../vocabulary';

export function markers(event: GameEvent, before: State): Marker[] {
  switch (event.type) {
    case 'EpisodeEnded':
      return ending(event.data.outcome);
    case 'BallBowled':
      return ball(event.data, before);
    case 'BatterRetired':
      return event.data.kind === 'retired out' ? [{ kind: 'wicket', label: sentence(event, before), weight: 1 }] : [];
    case 'SuperOverStarted':
    case 'InningsEnded':
      return [{ kind: 'note', label: sentence(event, before), weight: 2 }];
    case 'PlayerReplaced':
    case 'PlayInterrupted':
    case 'OverRatePenalized':
      return [{ kind: 'note', label: sentence(event, before), weight: 1 }];
    case 'ReviewTaken':
      return event.data.upheld
        ? [{ kind: 'note', label: sentence(event, before), seat: event.data.seat, weight: 1 }]
        : [];
    default:
      return [];
  }
}

function ball(data: BallBowled, before: State): Marker[] {
  const innings = before.innings.find(({ number }) => number === data.innings);
  const [runs = 0, wickets = 0] = data.score;
  const score = `${runs}/${wickets}`;
  const markers: Marker[] = [];
  if (data.wicket) {
    const seat = innings ? { seat: innings.bowling } : {};
    markers.push({ kind: 'wicket', label: `${data.ball} ${wicketLine(before, data)}, ${score}`, weight: 2, ...seat });
  } else if (data.boundary) {
    const seat = innings ? { seat: innings.batting } : {};
    markers.push({
      kind: 'boundary',
      label: `${data.ball} ${describeBall(before, data)}, ${score}`,
      weight: 1,
      ...seat,
    });
  }
  if (data.next_free_hit && data.extras?.['noballs']) {
    markers.push({ kind: 'note', label: `${data.ball} No-ball: a free hit follows`, weight: 1 });
  }
  const rounds = innings ? milestones(innings, data, (name) => surname(before, name)) : [];
  return [...markers, ...rounds.map((label): Marker => ({ kind: 'note', label: `${data.ball} ${label}`, weight: 1 }))];
}

function ending(outcome: OutcomeData | null | undefined): Marker[] {
  if (!outcome) return [];
  const [winner, ...others] = outcome.winners;
  const seat = winner && others.length === 0 ? { seat: winner } : {};
  return [{ kind: 'win', label: outcome.text, weight: 3, ...seat }];
}
