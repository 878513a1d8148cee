/** The voice of one open match, for components: the line being spoken, what speaks it, and the viewer's preferences. */

import { untrack } from 'svelte';

import { foremost, turnOf } from '../episode/story/telling';
import type { View, Watch } from '../episode/watch.svelte';
import { plain } from '../lib/text';
import { api } from '../net/api';
import type { VoiceChanged, VoiceReady } from '../types.gen';
import { ClipLog } from './clipLog';
import { characterOf } from './cast';
import { Lines, type Line, type Narrated } from './lines';
import { Narrator } from './narrator';
import { ClipPlayer } from './player';
import { OF_MATCH, prefer, preferences, wish, wished, type Preferences } from './preferences';
import { BrowserSpeaker, knowVoices, SilentSpeaker } from './speaker';
import { Voice } from './voice';

/** A line that is spoken, and its words up to now if their times are known. */
export interface Shown {
  readonly text: string;
  readonly words: readonly string[] | null;
  readonly reached: number;
}

/** Clips that are fetched before their lines are due. */
const EARLY = 3;
/** Milliseconds between two requests for the clips of an ended match whose last ones are being made. */
const ASK_EVERY = 700;

export class MatchVoice {
  shown = $state.raw<Shown | null>(null);
  /** Whether a gesture of the user has allowed sound. */
  allowed = $state(false);
  chosen = $state.raw<Preferences>(preferences());
  /** What speaks now, as the server last said. */
  state = $state.raw<VoiceChanged>({ kind: 'browser', reason: '' });
  /** Whether this browser has a voice; null while it is not known. */
  voices = $state<boolean | null>(null);
  /** Whether only a voice of the browser could speak, and it has none. */
  mute = $derived(this.voices === false && this.state.kind === 'browser');
  /** A match with `voice` is read aloud unless this user has turned it off; any other only when the user asks for it. */
  on = $derived.by(() => this.#wish ?? this.#offered());

  #wish = $state(wished());
  #log = new ClipLog();
  #lines: Lines;
  #voice: Voice;
  #player: ClipPlayer;
  #last = -1;
  #moved = false;
  #listed = false;
  #askedAt = -Infinity;

  constructor(
    private readonly watch: Watch,
    view: () => View,
    private readonly offered: () => boolean,
  ) {
    const sound = (): Preferences => this.chosen;
    $effect(() => (this.on ? knowVoices((any) => (this.voices = any)) : undefined));
    const browser = new BrowserSpeaker(sound, () => watch.episode?.seats.map(({ seat }) => this.#who(seat)) ?? []);
    this.#player = new ClipPlayer((name, signal) => api.clip(name, watch.as, signal), sound);
    this.#lines = new Lines(
      (seq) => {
        const moment = watch.at(seq);
        return moment?.step ? moment.text : '';
      },
      (seat) => this.#who(seat),
    );
    const narrator = new Narrator(this.#conditions(), this.#player, browser, new SilentSpeaker(), (clip, time) =>
      this.#progress(clip, time),
    );
    this.#voice = new Voice(narrator, (line) => this.#caption(line));
    $effect(() => {
      void [this.on, this.allowed, watch.playing, watch.connection];
      const latest = view();
      untrack(() => this.#update(latest));
    });
  }

  /** Speak what may be told now and was not told before; be silent while the viewer has stopped the match. */
  #update(view: View): void {
    this.#log.read(view.store);
    if (this.#log.state !== this.state) this.state = this.#log.state;
    const seq = view.narrated?.seq ?? view.seq;
    const moving = view.following || this.watch.playing;
    const jumped = this.#last < 0 || seq < this.#last || (view.following && !this.#moved);
    this.#last = seq;
    this.#moved = moving;
    this.watch.audible = this.on && this.allowed;
    if (!this.on || !moving || jumped) {
      this.#voice.hush();
      this.#lines.skipTo(seq);
      return;
    }
    if (this.watch.connection.name === 'complete') this.#ask();
    const narrated = this.#narrated(view, seq);
    this.#voice.turnTo(turnOf(view));
    this.#voice.tell(this.#lines.next(narrated));
    if (this.#audible && this.#ofMatch)
      for (const comment of this.#lines.coming(narrated, EARLY)) this.#prepare(comment);
  }

  toggle(): void {
    this.#wish = !this.on;
    wish(this.#wish);
    if (!this.#wish) this.#voice.hush();
  }

  /** A gesture of the user. */
  touched(): void {
    if (this.allowed || !this.on) return;
    void this.#player.unlock().then((allowed) => (this.allowed = allowed || this.allowed));
  }

  choose(change: Partial<Preferences>): void {
    this.chosen = { ...this.chosen, ...change };
    prefer(this.chosen);
    this.#player.retune();
    if (change.muted || change.voice !== undefined) this.#voice.hush();
  }

  /** The page is seen again, or the system has given back the sound. */
  resume(): void {
    this.#player.resume();
  }

  close(): void {
    this.#voice.hush();
    this.#player.close();
    this.watch.audible = false;
  }

  #narrated(view: View, seq: number): Narrated {
    const { board, names } = this.watch;
    const none = { lines: [], letters: [] };
    return {
      story: view.story,
      seq,
      foremost: () => (board && names ? foremost(this.watch, view, board, names) : none),
    };
  }

  /** Return the name of who plays a seat: that of a character, else that of the seat. */
  #who(seat: string): string {
    return plain(characterOf(seat, this.watch.episode?.seats ?? []) || (this.watch.names?.seat(seat).name ?? seat), 60);
  }

  #offered(): boolean {
    return this.offered();
  }

  get #audible(): boolean {
    return this.on && this.allowed && !this.chosen.muted;
  }

  /** Whether the viewer wants the voice of the match, not one of the browser. */
  get #ofMatch(): boolean {
    return this.chosen.voice === OF_MATCH || this.voices === false;
  }

  #conditions(): ConstructorParameters<typeof Narrator>[0] {
    return {
      audible: () => this.#audible,
      clip: (seq) => (this.#ofMatch ? this.#log.clip(seq) : undefined),
      expects: () => this.#expects(),
      over: () => this.#over,
      spokeAt: (seq) => this.#ofMatch && (this.#over || this.#log.state.kind === 'clips') && this.#log.spokeAt(seq),
      browser: () => !!this.voices && this.#log.state.kind !== 'silent',
    };
  }

  get #over(): boolean {
    return this.watch.connection.name === 'complete';
  }

  /** Return whether clips are on their way: the server makes them, or its list of them is. */
  #expects(): boolean {
    if (!this.#ofMatch || this.#log.state.kind !== 'clips') return false;
    if (!this.#over) return true;
    this.#ask();
    return !this.#listed;
  }

  /** Fetch the list of clips of an ended match until none is being made. */
  #ask(): void {
    if (this.#log.state.kind !== 'clips' || this.#listed) return;
    if (performance.now() - this.#askedAt < ASK_EVERY) return;
    this.#askedAt = performance.now();
    api.clips(this.watch.id, this.watch.as).then(
      ({ clips, more }) => {
        this.#log.add(clips);
        this.#listed = !more;
      },
      () => (this.#listed = true), // without the list, the last lines are captions
    );
  }

  #prepare(comment: number): void {
    const ready = this.#log.clip(comment);
    if (ready) this.#player.prepare(ready.clip);
  }

  #caption(line: Line | null): void {
    this.shown = line && { text: `${line.letter ? `${line.letter.lead} ` : ''}${line.text}`, words: null, reached: 0 };
  }

  #progress({ words }: VoiceReady, time: number): void {
    if (!this.shown || !words.length) return;
    const reached = words.filter(({ start }) => start <= time).length;
    if (this.shown.words && reached === this.shown.reached) return;
    this.shown = { text: this.shown.text, words: words.map(({ text }) => text), reached };
  }
}
