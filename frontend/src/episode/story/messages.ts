/** The messages up to a moment, and the outcome of the promises in them. */

import type { PromiseOutcome, Told } from '../../boards/game';
import { parts } from '../show/parts';
import { coreData } from '../record/matchInfo';
import type { Slot } from '../record/store';
import type { MessageSent } from '../../types.gen';

/** `unjudged`: the turn of the promise is over, and no event reports an outcome. */
export type Fate = Exclude<PromiseOutcome['outcome'], 'lie'> | 'open' | 'unjudged';

export interface Letter extends MessageSent {
  readonly seq: number;
  /** `lie` is known only to the sender, and to who sees everything. */
  readonly fates: readonly { readonly promise: string; readonly fate: Fate; readonly lie: boolean }[];
}

export interface Press {
  /** The latest message first. */
  readonly letters: readonly Letter[];
  /** Whether messages may be missing from the list, because events are withheld from the viewer or have not arrived. */
  readonly partial: boolean;
}

/**
 * Return the last `limit` messages at `seq` in turn `turn`, which is '' after the end of the match. `told` returns what the
 * parts of an event tell.
 */
export function press(
  told: (seq: number) => readonly Told[],
  slots: readonly Slot[],
  seq: number,
  turn: string,
  limit: number,
): Press {
  const letters: Letter[] = [];
  const outcomes = new Map<string, Fate>();
  const lies = new Set<string>();
  let partial = false;
  // This runs for every frame while the user scrubs, so the walk back ends when the list is full.
  for (let at = seq; at >= 0 && letters.length < limit; at--) {
    const event = slots[at];
    if (!event) {
      partial = true;
      continue;
    }
    const outcomesOf = told(at);
    for (const [index, part] of [...parts(event).entries()].reverse()) {
      const outcome = outcomesOf[index]?.promise;
      if (outcome?.outcome === 'lie') lies.add(key(outcome));
      else if (outcome && !outcomes.has(key(outcome))) outcomes.set(key(outcome), outcome.outcome);
      const sent = coreData(part, 'MessageSent');
      if (!sent) continue;
      const { public: all = false, promises = [] } = sent;
      const fates = promises.map((promise): Letter['fates'][number] => {
        const own = key({ ...sent, public: all, seat: sent.sender, promise });
        return { promise, fate: outcomes.get(own) ?? (sent.turn === turn ? 'open' : 'unjudged'), lie: lies.has(own) };
      });
      letters.push({ ...sent, seq: at, fates });
    }
  }
  return { letters, partial };
}

function key(promise: Pick<PromiseOutcome, 'seat' | 'turn' | 'promise' | 'recipients' | 'public'>): string {
  const { seat, turn, recipients, public: all } = promise;
  return JSON.stringify([seat, turn, promise.promise, recipients, all]);
}

/** The messages between the same players, in order. */
export interface Conversation {
  /** The sender and the recipients of all messages, sorted; empty for messages to all. */
  readonly between: readonly string[];
  readonly letters: readonly Letter[];
}

/** Return `letters`, the latest first, as conversations; the one with the latest message comes first. */
export function conversations(letters: readonly Letter[]): Conversation[] {
  const threads = new Map<string, { between: readonly string[]; letters: Letter[] }>();
  for (const letter of letters) {
    const between = letter.public ? [] : [letter.sender, ...letter.recipients].sort();
    const id = between.join(' ');
    const thread = threads.get(id) ?? { between, letters: [] };
    thread.letters.unshift(letter);
    threads.set(id, thread);
  }
  return [...threads.values()];
}

/** Return the text for an empty list of messages: nobody wrote, or the viewer may not read the messages. */
export function silence(as: string, partial: boolean, seat: (id: string) => string): string {
  if (!partial || as === 'analyst' || as === 'operator') return 'No messages yet.';
  const own = as.startsWith('seat:') ? seat(as.slice('seat:'.length)) : null;
  return own ? `No public messages yet, and none to or from ${own}.` : 'No public messages yet.';
}

export interface Word {
  readonly kept: number;
  readonly broken: number;
}

export type Words = Readonly<Record<string, Word>>;

/** Return, by seat, the numbers of promises kept and broken up to and with `seq`. */
export function countPromises(told: (seq: number) => readonly Told[], seq: number): Words {
  const words: Record<string, Word> = {};
  for (let at = 0; at <= seq; at++) {
    for (const { promise } of told(at)) {
      if (promise?.outcome !== 'kept' && promise?.outcome !== 'broken') continue;
      const old = words[promise.seat] ?? { kept: 0, broken: 0 };
      words[promise.seat] = { ...old, [promise.outcome]: old[promise.outcome] + 1 };
    }
  }
  return words;
}
