/** The form that starts a tournament: its settings and the request that it sends. Pure. */

import type { GameInfo, PlayerInfo, StartTournament, TournamentForecast } from '../types.gen';
import { optionsOf } from './form';
import { many } from '../lib/say';

/** All settings of the form. Null means that there is no limit, or the server's default. */
export interface TournamentSettings {
  game: string;
  players: string[];
  format: NonNullable<StartTournament['format']>;
  /** Of the format `fixed`: a match in each line, its players in seat order. */
  pairings: string;
  title: string;
  options: Record<string, unknown>;
  /** Whether it ends when the intervals are narrow enough, instead of after a number of matches. */
  narrow: boolean;
  matches: number | null;
  until: number | null;
  most: number | null;
  goal: NonNullable<StartTournament['goal']>;
  onFault: NonNullable<StartTournament['on_fault']>;
  seed: number | null;
  pace: number | null;
  slots: number | null;
  tokens: number | null;
  dollars: number | null;
}

/** Numbers of players that are chosen at first. */
const CHOSEN = 3;
const MATCHES = 30;

/** Return whether a player can take part: it plays at any time, and many matches. */
export const plays = ({ kind, available }: PlayerInfo): boolean => available && (kind === 'bot' || kind === 'llm');

/** Return the settings of a new tournament of `game` between its strongest free players, at full speed. */
export function blankTournament(game: GameInfo): TournamentSettings {
  const bots = game.players.filter(({ kind, available }) => kind === 'bot' && available);
  return {
    game: game.name,
    players: bots.slice(0, CHOSEN).map(({ name }) => name),
    format: 'round-robin',
    pairings: '',
    title: '',
    options: Object.fromEntries(optionsOf(game.options).map(({ name, initial }) => [name, initial])),
    narrow: false,
    matches: MATCHES,
    until: 0.05,
    most: 200,
    goal: 'scores',
    onFault: 'fallback',
    seed: null,
    pace: 0,
    slots: 1,
    tokens: null,
    dollars: null,
  };
}

/** Return the request for `settings`, without options that equal the game's defaults. */
export function tournamentRequest(settings: TournamentSettings, game: GameInfo): StartTournament {
  const usual = blankTournament(game).options;
  const options = Object.entries(settings.options).filter(([name, value]) => value !== usual[name]);
  return {
    game: settings.game,
    players: settings.players,
    format: settings.format,
    ...(settings.format === 'fixed' && { pairings: pairingsIn(settings.pairings) }),
    ...(settings.title && { title: settings.title }),
    ...(options.length && { options: Object.fromEntries(options) }),
    ...(settings.format !== 'ladder' && lengthOf(settings)),
    on_fault: settings.onFault,
    ...(settings.seed !== null && { seed: settings.seed }),
    ...(settings.pace !== null && { pace: settings.pace }),
    slots: settings.slots ?? 1,
    ...(settings.tokens !== null && { max_tokens: settings.tokens }),
    ...(settings.dollars !== null && { max_dollars: settings.dollars }),
  };
}

/** Return when a tournament ends. */
const lengthOf = (settings: TournamentSettings): Pick<StartTournament, 'until' | 'max_matches' | 'goal' | 'matches'> =>
  settings.narrow
    ? { until: settings.until ?? 0, max_matches: settings.most ?? 0, goal: settings.goal }
    : { matches: settings.matches ?? 0 };

/** Return the players of each match in a text with one match in each line. */
export function pairingsIn(text: string): string[][] {
  return text
    .split('\n')
    .map((row) =>
      row
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .filter(({ length }) => length);
}

/** Return what will be played, in words. */
export function forecastText(
  { matches, openings, per_opening: each, models }: TournamentForecast,
  { format, narrow }: Pick<TournamentSettings, 'format' | 'narrow'>,
  limited: boolean,
): string {
  const count = `${narrow ? 'At most ' : ''}${many(matches, 'match', 'matches')}`;
  const made =
    format === 'ladder'
      ? `It goes on until it is stopped, ${many(each, 'match', 'matches')} an opening`
      : `${count}: ${many(openings, 'opening')} of ${each}`;
  const paid = models.length
    ? ` ${models.join(', ')} may cost money${limited ? '' : ': no budget is set'}.`
    : ' No language model plays: it is free.';
  return `${made}.${paid}`;
}
