/** The messages up to a moment, and the outcome of the promises in them. */

import type { PromiseOutcome, Told } from '../../boards/game';
import { parts } from '../show/parts';
import { coreData } from '../record/matchInfo';
import type { Slot } from '../record/store';
import { agree, listed, numeral } from '../../lib/say';
import { capital } from '../../lib/text';
import type { MessageSent } from '../../types.gen';

/** `unjudged`: the turn of the promise is over, and no event reports an outcome. */
export type Fate = Exclude<PromiseOutcome['outcome'], 'lie'> | 'open' | 'unjudged';

export interface Letter extends MessageSent {
  readonly seq: number;
  /** The number of rounds that were over after it, up to the last moment read: letters of one round have the same. */
  readonly round: number;
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
 * Return the messages from `first` to `last` in turn `turn`, which is '' after the end of the match. `told` returns what
 * the parts of an event tell.
 */
export function press(
  told: (seq: number) => readonly Told[],
  slots: readonly Slot[],
  [first, last]: readonly [first: number, last: number],
  turn: string,
): Press {
  const letters: Letter[] = [];
  const outcomes = new Map<string, Fate>();
  const lies = new Set<string>();
  let partial = false;
  let round = 0;
  for (let at = last; at >= first; at--) {
    const event = slots[at];
    if (!event) {
      partial = true;
      continue;
    }
    if (event.type === 'NegotiationHeld') round++;
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
      letters.push({ ...sent, seq: at, round, fates });
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

/** Return, by seat, the numbers of promises kept and broken from `first` to `last`. */
export function countPromises(
  told: (seq: number) => readonly Told[],
  [first, last]: readonly [first: number, last: number],
): Words {
  const words: Record<string, Word> = {};
  for (let at = first; at <= last; at++) {
    for (const { promise } of told(at)) {
      if (promise?.outcome !== 'kept' && promise?.outcome !== 'broken') continue;
      const old = words[promise.seat] ?? { kept: 0, broken: 0 };
      words[promise.seat] = { ...old, [promise.outcome]: old[promise.outcome] + 1 };
    }
  }
  return words;
}

/** Return the promises of a time in one sentence: `Eleven promises kept; France broke one, and Italy two.` */
export function promiseLine(words: Words, name: (seat: string) => string): string {
  const all = Object.entries(words);
  const kept = all.reduce((sum, [, word]) => sum + word.kept, 0);
  const broken = all.filter(([, word]) => word.broken > 0);
  const breaches = broken.map(
    ([seat, word], n) =>
      `${name(seat)} ${n ? '' : 'broke '}${numeral(word.broken)}${n || kept ? '' : ` ${agree(word.broken, 'promise')}`}`,
  );
  if (!breaches.length)
    return kept > 1 ? `${capital(numeral(kept))} promises, all kept.` : kept ? 'One promise, kept.' : '';
  return kept
    ? `${capital(numeral(kept))} ${agree(kept, 'promise')} kept; ${listed(breaches)}.`
    : `${listed(breaches)}.`;
}
