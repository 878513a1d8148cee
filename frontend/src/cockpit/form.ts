/** The start form: its settings, the request that it sends, and presets. Pure. */

import type { EpisodeSummary, Event, GameInfo, PlayerInfo, StartEpisode } from '../types.gen';
import { coreData } from '../episode/record/matchInfo';

/** All settings of the form. Null means the server's default. */
export interface Settings {
  game: string;
  players: Record<string, string>;
  options: Record<string, unknown>;
  title: string;
  seed: number | null;
  pace: number | null;
  turns: number | null;
  clock: number | null;
  delay: number;
  /** Null: at once, or after the end where a person plays. */
  reveal: NonNullable<StartEpisode['reveal']> | null;
  approve: boolean;
  paused: boolean;
  voice: boolean;
  /** The language model that words the commentary; '' for the built-in words. */
  commentator: string;
}

export interface Option {
  name: string;
  title: string;
  help: string;
  kind: 'flag' | 'choice' | 'whole' | 'number' | 'text' | 'json';
  choices: readonly unknown[];
  initial: unknown;
}

interface Property {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: Property[];
}

/** Return a game's options from their JSON schema. */
export function optionsOf(schema: GameInfo['options']): Option[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Property>);
  return properties.map(([name, property]) => ({
    name,
    title: (property.title ?? name).replace(/(?<=.)[A-Z]/g, (letter) => letter.toLowerCase()),
    help: property.description ?? '',
    kind: kindOf(property),
    choices: property.enum ?? [],
    initial: property.default,
  }));
}

function kindOf({ type, enum: choices, anyOf = [] }: Property): Option['kind'] {
  if (choices) return 'choice';
  if (anyOf.some((kind) => kind.type === 'object')) return 'json';
  if (type === 'boolean') return 'flag';
  return type === 'integer' ? 'whole' : type === 'number' ? 'number' : 'text';
}

/** Return the value of a field's text. Text that is not JSON stays text: the server then names the option. */
export function valueOf(text: string, option: Pick<Option, 'kind' | 'initial'>): unknown {
  if (option.kind === 'text') return text;
  // An empty field means the default value.
  if (text.trim() === '') return option.initial;
  if (option.kind !== 'json') return Number(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Return the text of a value in its field. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}

/** Return the settings of a new match of `game`, with the players of a showcase. */
export function blank(game: GameInfo): Settings {
  return {
    game: game.name,
    players: inTurn(game, game.cast),
    options: Object.fromEntries(optionsOf(game.options).map(({ name, initial }) => [name, initial])),
    title: '',
    seed: null,
    pace: null,
    turns: null,
    clock: null,
    delay: 0,
    reveal: null,
    approve: false,
    paused: false,
    voice: false,
    commentator: '',
  };
}

/** Return the game with the seats that a match with these options has. */
export function withSeats(game: GameInfo, options: Readonly<Record<string, unknown>>): GameInfo {
  const seats = Object.entries(game.seats_by).flatMap(([name, by]) => by[textOf(options[name])] ?? []);
  return seats.length ? { ...game, seats } : game;
}

/**
 * Return the request for `settings`, without values that equal the server's defaults. `game` has the seats of the match.
 */
export function request(settings: Settings, game: GameInfo): StartEpisode {
  const usual = blank(game);
  const options = Object.entries(settings.options).filter(([name, value]) => value !== usual.options[name]);
  const rest = Object.entries(settings).filter(
    ([name, value]) => value !== null && value !== usual[name as keyof Settings],
  );
  const people = game.players.flatMap(({ kind, name }) => (kind === 'human' ? [name] : []));
  const seated = game.seats.map((seat) => settings.players[seat] ?? '');
  return {
    ...Object.fromEntries(rest.filter(([name]) => name !== 'options')),
    game: settings.game,
    reveal: settings.reveal ?? (seated.some((name) => people.includes(name)) ? 'after' : 'live'),
    players: Object.fromEntries(game.seats.map((seat) => [seat, settings.players[seat] ?? usual.players[seat] ?? ''])),
    ...(options.length && { options: Object.fromEntries(options) }),
  };
}

/**
 * Return the settings with which `episode` was started. `events` are its first events, which contain the seed if the
 * viewer may know it. A seat whose player no longer exists gets the strongest free player.
 */
export function again(episode: EpisodeSummary, events: readonly Event[], game: GameInfo): Settings {
  const usual = blank(withSeats(game, episode.options));
  const known = new Set(game.players.map(({ name }) => name));
  const steered = events.flatMap((event) => coreData(event, 'ControlChanged') ?? []);
  const value = (command: string): number | null => {
    const value = steered.find((change) => change.command === command)?.value;
    return typeof value === 'number' ? value : null;
  };
  return {
    ...usual,
    players: Object.fromEntries(
      episode.seats.map(({ seat, player }) => [seat, known.has(player) ? player : (usual.players[seat] ?? '')]),
    ),
    options: { ...usual.options, ...episode.options },
    title: episode.title === game.title ? '' : episode.title,
    seed: events.map((event) => coreData(event, 'SeedSet')?.seed).find((seed) => seed !== undefined) ?? null,
    pace: value('pace'),
    turns: value('turns'),
    clock: episode.clock ?? null,
    delay: episode.delay,
    reveal: episode.reveal,
    approve: episode.approve,
    voice: episode.voice,
    commentator: episode.commentator && known.has(episode.commentator) ? episode.commentator : '',
  };
}

const showcased = 'The players of a showcase match';

export interface Preset {
  id: string;
  title: string;
  /** The players by seat; null if the required players are missing, which `says` then explains. */
  players: Record<string, string> | null;
  says: string;
}

/** Return the presets of players. A visitor may use free players, and play one seat where `plays` is true. */
export function presets(game: GameInfo, visitor: boolean, plays = !visitor): Preset[] {
  const bots = game.players.filter(free).map(({ name }) => name);
  const models = game.players.filter(({ kind }) => kind === 'llm');
  const ready = models.filter(({ available }) => available);
  const person = game.players.find(({ kind, available }) => kind === 'human' && available);
  const strongest = bots[0];
  const cast = new Set(game.cast).size > 1 || game.cast[0] !== strongest;
  const open: Preset[] = [
    ...(cast ? [{ id: 'showcase', title: 'Showcase', players: inTurn(game, game.cast), says: showcased }] : []),
    {
      id: 'strongest',
      title: 'Strongest',
      players: inTurn(game, bots.slice(0, 1)),
      says: `Every seat played by ${strongest}`,
    },
    { id: 'mixed', title: 'Mixed', players: inTurn(game, bots), says: 'The free players in rotation, strongest first' },
  ];
  const first = game.seats[0] ?? '';
  const you: Preset[] = [
    {
      id: 'person',
      title: 'You play',
      players: person && strongest ? { ...inTurn(game, bots.slice(0, 1)), [first]: person.name } : null,
      says: person ? `You in the first seat, ${strongest} in the others` : 'The roster has no human player',
    },
  ];
  if (visitor) return plays ? [...open, ...you] : open;
  return [
    ...open,
    ...you,
    {
      id: 'models',
      title: 'Models',
      players: ready.length
        ? inTurn(
            game,
            ready.map(({ name }) => name),
          )
        : null,
      says: ready.length
        ? `In rotation: ${ready.map(({ name }) => name).join(', ')}`
        : (models[0]?.reason ?? 'The roster names no language model'),
    },
  ];
}

/** Return whether the player costs nothing and is always available. */
export function free({ kind, available }: PlayerInfo): boolean {
  return kind === 'bot' && available;
}

function inTurn(game: GameInfo, players: readonly string[]): Record<string, string> {
  return Object.fromEntries(game.seats.map((seat, n) => [seat, players[n % players.length] ?? '']));
}
