/**
 * A seat's choice in words. A game says what is legal in a shape of its own; two shapes get a form, any other is typed
 * as JSON. Pure.
 */

import type { Action } from '../../boards/board';
import { isRecord } from '../../lib/json';

/** `{orders: {"A PAR": ["A PAR H", …]}, count?}`: for each key one of its texts, sent as `{orders: [texts]}`. */
export interface Choices {
  readonly orders: Readonly<Record<string, readonly string[]>>;
  /** So many of the keys may be used (more than 0) or must be (less than 0); undefined where each may be. */
  readonly count?: number;
}

/** `{must, tools: [{name, description, parameters}]}`: one tool with its arguments, sent as `{tool, arguments}`. */
export interface Tools {
  readonly must: string | null;
  readonly tools: readonly Tool[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly properties: Readonly<Record<string, Parameter>> };
}

/** A parameter's JSON schema, as far as the form reads it. */
export interface Parameter {
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly enum?: readonly string[] };
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

export type Form = { kind: 'choices'; legal: Choices } | { kind: 'tools'; legal: Tools } | { kind: 'raw' };

/** The form for what is legal now. */
export function formOf(legal: unknown): Form {
  if (isRecord(legal)) {
    if (areChoices(legal)) return { kind: 'choices', legal };
    if (areTools(legal)) return { kind: 'tools', legal };
  }
  return { kind: 'raw' };
}

const areChoices = (legal: object): legal is Choices =>
  'orders' in legal && isRecord(legal.orders) && Object.values(legal.orders).every(Array.isArray);

const areTools = (legal: object): legal is Tools =>
  'tools' in legal && Array.isArray(legal.tools) && legal.tools.length > 0;

/** The text chosen for each key by `draft`; keys without one are left out. */
export function chosen({ orders }: Choices, draft: Action | null): Record<string, string> {
  const texts = Array.isArray(draft?.['orders']) ? (draft['orders'] as unknown[]) : [];
  const left = [...texts];
  const found: Record<string, string> = {};
  for (const [key, legal] of Object.entries(orders)) {
    const place = left.findIndex((text) => legal.includes(text as string));
    if (place >= 0) found[key] = String(left.splice(place, 1)[0]);
  }
  return found;
}

/** `draft` with `text` for `key`, or with '' none. */
export function choose(legal: Choices, draft: Action | null, key: string, text: string): Action {
  const texts = { ...chosen(legal, draft), [key]: text };
  return { orders: Object.keys(legal.orders).flatMap((one) => texts[one] || []) };
}

/** What is wrong with how many are chosen; '' where it will do. */
export function miscounted({ count }: Choices, chosen: number): string {
  if (count === undefined) return '';
  const [most, least] = [Math.abs(count), count < 0 ? -count : 0];
  if (chosen > most) return `${chosen} are chosen; there may be ${most}`;
  return chosen < least ? `${least - chosen} more must be chosen` : '';
}

/** `draft` for tool `name` with `value` for an argument; undefined, '' or an empty list leaves the argument out. */
export function argue(draft: Action | null, name: string, argument: string, value: unknown): Action {
  const before = draft?.['tool'] === name && isRecord(draft['arguments']) ? draft['arguments'] : {};
  const given: Record<string, unknown> = { ...before, [argument]: value };
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) delete given[argument];
  return { tool: name, arguments: given };
}
