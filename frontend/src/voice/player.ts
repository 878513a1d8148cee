/**
 * Plays clips through the one audio element of the page. Browsers let an element play by itself only after it has
 * played in answer to a gesture; iOS asks this of every element, so there is never a second one.
 */

import type { VoiceReady } from '../types.gen';
import { Arriving, received, sourceOf } from './arriving';
import type { Sound } from './speaker';

/** A hundredth of a second of silence, as WAV. */
const SILENCE =
  'data:audio/wav;base64,UklGRnQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YVAAAACAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgA==';

/** Clips that are kept in memory. */
const KEPT = 12;
/**
 * Milliseconds after its length at which a clip counts as finished, if the browser reports no end. One whose length is an
 * estimate is not cut while it goes on.
 */
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
  #clips = new Map<string, Promise<Blob | Arriving>>();
  #address = '';
  #playing = 0;
  #timer = 0;
  #abort = new AbortController();

  constructor(
    /** Return the response with the audio of a clip. */
    private readonly fetchClip: (name: string, signal: AbortSignal) => Promise<Response>,
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
    this.#clip(name).catch(() => undefined);
  }

  /** Play a clip; `progress` is called with its time. Reject if it cannot be fetched or played. */
  async play({ clip, seconds }: VoiceReady, progress: (time: number) => void): Promise<void> {
    const turn = ++this.#playing;
    const audioOfClip = await this.#clip(clip);
    if (turn !== this.#playing) return;
    const player = audio();
    const { volume, rate } = this.sound();
    await new Promise<void>((resolve, reject) => {
      const source = audioOfClip instanceof Arriving ? sourceOf(audioOfClip, reject) : audioOfClip;
      const limit = (): void => {
        clearTimeout(this.#timer);
        const left = Math.max(0, seconds - player.currentTime);
        this.#timer = window.setTimeout(resolve, (1000 * left) / rate + GRACE);
      };
      player.dataset['clip'] = clip;
      player.src = this.#address = URL.createObjectURL(source);
      player.volume = volume;
      player.defaultPlaybackRate = player.playbackRate = rate;
      player.ontimeupdate = () => {
        limit();
        progress(player.currentTime);
      };
      player.onended = () => resolve();
      player.onerror = () => reject(player.error ?? new Error('the clip cannot be played'));
      limit();
      player.play().catch(reject);
    })
      .catch((error: unknown) => {
        if (turn === this.#playing) player.pause();
        throw error;
      })
      .finally(() => {
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
    this.#clips.clear();
  }

  #release(player: HTMLAudioElement): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    player.ontimeupdate = player.onended = player.onerror = null;
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = '';
  }

  #clip(name: string): Promise<Blob | Arriving> {
    const known = this.#clips.get(name);
    if (known) {
      this.#clips.delete(name);
      this.#clips.set(name, known);
      return known;
    }
    const clip = this.fetchClip(name, this.#abort.signal).then(received);
    const lost = (): unknown => this.#clips.delete(name);
    this.#clips.set(name, clip);
    clip.then((item) => {
      if (!(item instanceof Arriving)) return;
      item.whole.then((blob) => this.#clips.has(name) && this.#clips.set(name, Promise.resolve(blob)), lost);
    }, lost);
    for (const oldest of this.#clips.keys()) {
      if (this.#clips.size <= KEPT) break;
      this.#clips.delete(oldest);
    }
    return clip;
  }
}
