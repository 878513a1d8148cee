/** A language model that the caller pays for: its fields in the form, and its part of the request. Nothing is stored. */

import type { EndpointInfo, OwnModel } from '../types.gen';

export interface OwnEntry {
  endpoint: string;
  model: string;
  /** The key, only while the form is shown. */
  key: string;
}

/** The choice of a seat that is played by the caller's own model. No player has a name with a colon alone. */
export const OWN = 'own:';

export const noEntry = (endpoints: readonly EndpointInfo[]): OwnEntry => ({
  endpoint: (endpoints.find(({ signed_in: signed }) => signed) ?? endpoints[0])?.name ?? '',
  model: '',
  key: '',
});

/** Return the entry as it is sent. The key is left out where an account stands in for it. */
export function ownModel({ endpoint, model, key }: OwnEntry, endpoints: readonly EndpointInfo[]): OwnModel {
  const signed = endpoints.some(({ name, signed_in: is }) => is && name === endpoint);
  return { endpoint, model: model.trim(), ...(signed && !key ? {} : { api_key: key }) };
}

/** Return the players of a form as a request names them: those of the roster, and the caller's own models. */
export function seated(
  players: Record<string, string>,
  own: OwnModel,
): { players: Record<string, string>; models?: Record<string, OwnModel> } {
  const entries = Object.entries(players);
  const mine = entries.filter(([, player]) => player === OWN);
  const rest = Object.fromEntries(entries.filter(([, player]) => player !== OWN));
  return mine.length ? { players: rest, models: Object.fromEntries(mine.map(([seat]) => [seat, own])) } : { players };
}
