/** The part of the API that changes matches. A request repeated after a lost connection takes effect once. */

import { ApiError, at, erase, get, post, put, putFor } from './api';
import type {
  AskChoices,
  AskSandbox,
  Command,
  EnterKey,
  EpisodeSummary,
  ForkEpisode,
  GameInfo,
  OpenSandbox,
  OwnModelSeat,
  PlayEpisode,
  PlayerRecord,
  SandboxPosition,
  SaveDraft,
  SeatAction,
  SeatChoices,
  SeatToken,
  SeatView,
  StartEpisode,
  StartTournament,
  TournamentForecast,
} from '../types.gen';

const TRIES = 3;
const FIRST_WAIT = 300;

/** Return an idempotency key for a request. (`crypto.randomUUID` does not exist on plain http.) */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Send `body`; send it again if there is no response. The key, or a number in the body, prevents a second effect. */
async function once<T>(path: string, body: unknown, key = ''): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await post<T>(path, body, key ? { 'Idempotency-Key': key } : {});
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0 || tries === TRIES) throw error;
      await new Promise((resume) => setTimeout(resume, FIRST_WAIT * 2 ** tries));
    }
  }
}

const seatAt = (id: string, seat: string): string => `${at(id)}/seats/${encodeURIComponent(seat)}`;

export const calls = {
  games: () => get<GameInfo[]>('/api/games'),
  records: (game: string) => get<PlayerRecord[]>(`/api/players?${new URLSearchParams(game && { game })}`),
  start: (request: StartEpisode, key: string) => once<EpisodeSummary>('/api/episodes', request, key),
  tournament: (request: StartTournament, key: string) => once<EpisodeSummary>('/api/tournaments', request, key),
  forecast: (request: StartTournament) => post<TournamentForecast>('/api/tournaments/forecast', request),
  fork: (id: string, request: ForkEpisode, key: string) => once<EpisodeSummary>(`${at(id)}/fork`, request, key),
  command: (id: string, command: Command) => once<EpisodeSummary>(`${at(id)}/commands`, command, newKey()),
  /** Delete an episode that has ended, and the matches that it has played. */
  erase: (id: string) => erase(at(id)),
  /** Return the seat's view; with `wait`, when the match waits for the seat, after so many seconds at most. */
  seat: (id: string, seat: string, wait = 0, signal?: AbortSignal) =>
    get<SeatView>(`${seatAt(id, seat)}${wait ? `?wait=${wait}` : ''}`, signal),
  act: (id: string, seat: string, action: SeatAction & { number: number }) => once<unknown>(seatAt(id, seat), action),
  /** Return the stages of the seat's choices after those made so far. It changes nothing. */
  choices: (id: string, seat: string, asked: AskChoices) => post<SeatChoices>(`${seatAt(id, seat)}/choices`, asked),
  saveDraft: (id: string, seat: string, draft: SaveDraft) => put(`${seatAt(id, seat)}/draft`, draft),
  leave: (id: string, seat: string) => post<EpisodeSummary>(`${seatAt(id, seat)}/leave`, null),
  /** Take a seat, or take it again after leaving. */
  take: (id: string, seat: string) => post<SeatToken>(`${seatAt(id, seat)}/take`, null),
  /** Start a match with the caller in one seat. */
  play: (request: PlayEpisode) => post<SeatToken>('/api/play', request),
  /** Return the seats of a match whose models are paid for by callers. */
  ownModels: (id: string) => get<OwnModelSeat[]>(`${at(id)}/models`),
  enterKey: (id: string, key: EnterKey) => putFor<OwnModelSeat[]>(`${at(id)}/models/key`, key),
  /** Return the position after moves that are tried from a moment of a match. It changes nothing. */
  sandbox: (id: string, line: OpenSandbox) => post<SandboxPosition>(`${at(id)}/sandbox`, line),
  sandboxChoices: (id: string, asked: AskSandbox) => post<SeatChoices>(`${at(id)}/sandbox/choices`, asked),
  openSeat: (id: string, seat: string) => post<SeatToken>(`${seatAt(id, seat)}/token`, null),
};
