/**
 * Forms for a seat's choice. Each game has its own format of legal actions. Two formats get a form; for any other, the
 * user types JSON. Pure.
 */

import type { Action } from '../../boards/board';
import { isRecord } from '../../lib/json';

/** `{orders: {"A PAR": ["A PAR H", …]}, count?}`: one of the texts for each key, sent as `{orders: [texts]}`. */
export interface Choices {
  readonly orders: Readonly<Record<string, readonly string[]>>;
  /** Maximum number of keys that may be used (above 0), or exact number (below 0); undefined if there is no limit. */
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

/** The parts of a parameter's JSON schema that the form uses. */
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

/** Return the form for the legal actions. */
export function formOf(legal: unknown): Form {
  if (isRecord(legal)) {
    if (areChoices(legal)) return { kind: 'choices', legal };
    if (areTools(legal)) return { kind: 'tools', legal };
  }
  return { kind: 'raw' };
}

/** Return the call of the tool that completes the turn, without arguments; null if there is none. */
export function usualTool(form: Form): Action | null {
  const tool = form.kind === 'tools' ? (form.legal.must ?? form.legal.tools[0]?.name) : undefined;
  return tool === undefined ? null : { tool, arguments: {} };
}

const areChoices = (legal: object): legal is Choices =>
  'orders' in legal && isRecord(legal.orders) && Object.values(legal.orders).every(Array.isArray);

const areTools = (legal: object): legal is Tools =>
  'tools' in legal && Array.isArray(legal.tools) && legal.tools.length > 0;

/** Return the text that `draft` has for each key; keys without one are left out. */
export function chosen({ orders }: Choices, draft: Action | null): Record<string, string> {
  const texts = Array.isArray(draft?.['orders']) ? (draft['orders'] as unknown[]) : [];
  const left = [...texts];
  const byKey: Record<string, string> = {};
  for (const [key, legal] of Object.entries(orders)) {
    const place = left.findIndex((text) => legal.includes(text as string));
    if (place >= 0) byKey[key] = String(left.splice(place, 1)[0]);
  }
  return byKey;
}

/** Return `draft` with `text` for `key`, or without the key if `text` is ''. */
export function choose(legal: Choices, draft: Action | null, key: string, text: string): Action {
  const texts = { ...chosen(legal, draft), [key]: text };
  return { orders: Object.keys(legal.orders).flatMap((subject) => texts[subject] || []) };
}

/** Return the error in the number of choices, or ''. */
export function miscounted({ count }: Choices, chosen: number): string {
  if (count === undefined) return '';
  const [most, least] = [Math.abs(count), count < 0 ? -count : 0];
  if (chosen > most) return `${chosen} are chosen; there may be ${most}`;
  return chosen < least ? `${least - chosen} more must be chosen` : '';
}

/** Return `draft` for tool `name` with `value` for an argument. Undefined, '' and an empty list remove the argument. */
export function argue(draft: Action | null, name: string, argument: string, value: unknown): Action {
  const before = draft?.['tool'] === name && isRecord(draft['arguments']) ? draft['arguments'] : {};
  const values: Record<string, unknown> = { ...before, [argument]: value };
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) delete values[argument];
  return { tool: name, arguments: values };
}
