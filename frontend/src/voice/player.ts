/**
 * Plays clips through the one audio element of the page. Browsers let an element play by itself only after it has
 * played in answer to a gesture; iOS asks this of every element, so there is never a second one.
 */

import type { VoiceReady } from '../types.gen';
import type { Sound } from './speaker';

/** A hundredth of a second of silence, as WAV. */
const SILENCE =
  'data:audio/wav;base64,UklGRnQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YVAAAACAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgA==';

/** Clips that are kept in memory. */
const KEPT = 12;
/** Milliseconds after its length at which a clip counts as finished, if the browser reports no end. */
const GRACE = 3000;

let element: HTMLAudioElement | null = null;

function audio(): HTMLAudioElement {
  if (!element) {
    element = new Audio();
    element.setAttribute('playsinline', '');
    element.preload = 'auto';
  }
  return element;
}

export class ClipPlayer {
  #addresses = new Map<string, Promise<string>>();
  #playing = 0;
  #timer = 0;
  #abort = new AbortController();

  constructor(
    /** Return the audio of a clip. */
    private readonly fetchClip: (name: string, signal: AbortSignal) => Promise<Blob>,
    private readonly sound: () => Sound,
  ) {}

  /** Make the element ready to play by itself. Call it in the handler of a gesture; return whether it may play now. */
  async unlock(): Promise<boolean> {
    const player = audio();
    if (!player.paused) return true;
    player.src = SILENCE;
    return player.play().then(
      () => true,
      (error: unknown) => !(error instanceof DOMException && error.name === 'NotAllowedError'),
    );
  }

  /** Fetch a clip that will be played soon. Each is fetched once. */
  prepare(name: string): void {
    this.#address(name).catch(() => undefined);
  }

  /** Play a clip; `progress` is called with its time. Reject if it cannot be fetched or played. */
  async play({ clip, seconds }: VoiceReady, progress: (time: number) => void): Promise<void> {
    const turn = ++this.#playing;
    const address = await this.#address(clip);
    if (turn !== this.#playing) return;
    const player = audio();
    const { volume, rate } = this.sound();
    player.src = address;
    player.volume = volume;
    player.defaultPlaybackRate = player.playbackRate = rate;
    player.ontimeupdate = () => progress(player.currentTime);
    await new Promise<void>((resolve, reject) => {
      player.onended = () => resolve();
      player.onerror = () => reject(player.error ?? new Error('the clip cannot be played'));
      this.#timer = window.setTimeout(resolve, (1000 * seconds) / rate + GRACE);
      player.play().catch(reject);
    }).finally(() => {
      if (turn === this.#playing) this.#release(player);
    });
  }

  /** Go on with a clip that the system has paused: a call on a phone, or a tab that was hidden. */
  resume(): void {
    const player = audio();
    if (this.#timer && player.paused && !player.ended) player.play().catch(() => undefined);
  }

  /** Use a new volume or rate at once. */
  retune(): void {
    if (!this.#timer) return;
    const { volume, rate } = this.sound();
    audio().volume = volume;
    audio().playbackRate = rate;
  }

  hush(): void {
    this.#playing++;
    const player = audio();
    this.#release(player);
    player.pause();
  }

  close(): void {
    this.hush();
    this.#abort.abort();
    for (const address of this.#addresses.values()) void address.then(URL.revokeObjectURL, () => undefined);
    this.#addresses.clear();
  }

  #release(player: HTMLAudioElement): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    player.ontimeupdate = player.onended = player.onerror = null;
  }

  #address(name: string): Promise<string> {
    const known = this.#addresses.get(name);
    if (known) {
      this.#addresses.delete(name);
      this.#addresses.set(name, known);
      return known;
    }
    const address = this.fetchClip(name, this.#abort.signal).then((blob) => URL.createObjectURL(blob));
    address.catch(() => this.#addresses.delete(name));
    this.#addresses.set(name, address);
    for (const [oldest, url] of this.#addresses) {
      if (this.#addresses.size <= KEPT) break;
      this.#addresses.delete(oldest);
      void url.then(URL.revokeObjectURL, () => undefined);
    }
    return address;
  }
}
