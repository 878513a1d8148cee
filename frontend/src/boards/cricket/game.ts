/** Cricket for cards and lists: its names, colours and sentences, without the board. */

import type { EpisodeSummary } from '../../types.gen';
import { MATCH, type Game } from '../game';
import { leaderOf } from './captaincy';
import type { GameEvent, PublicState } from './events.gen';
import { adopt } from './fromSnapshot';
import { reduce } from './reduce';
import { namesOf } from './sides';
import { EMPTY, type State } from './state';
import { markers } from './story/markers';
import { sentence, stripOf } from './story/tell';
import { unfold } from './story/unfold';

const MINOR = new Set([
  'TurnStarted',
  'ActionChosen',
  'BatterArrived',
  'BowlerChosen',
  'FieldSet',
  'OverPlanned',
  'PlanJudged',
  'SituationAnalyzed',
]);

export const game: Game<State> = {
  begin: (_episode: EpisodeSummary, whole: unknown) =>
    whole === null ? EMPTY : { ...adopt(EMPTY, whole as PublicState), captains: null },
  step: reduce,
  tell: (event: GameEvent, before) => ({
    text: sentence(event, before),
    step: !MINOR.has(event.type),
    marks: markers(event, before),
  }),
  names: namesOf,
  strip: (state, seat) => ({ ...stripOf(state, seat), leader: state ? leaderOf(state, seat) : null }),
  unfold,
  terms: { ...MATCH, press: false },
  aspect: 1.1,
};
