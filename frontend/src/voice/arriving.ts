/** The audio of a clip as it arrives: it can be played from its first piece, and is kept when it is whole. */

/** What a MediaSource plays piece by piece. Elsewhere, and for WAV, a clip is played when it is whole. */
const STREAMED = 'audio/mpeg';

export class Arriving {
  /** The whole clip. Rejected if it breaks off. */
  readonly whole: Promise<Blob>;
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #over = false;
  #wake: () => void = () => undefined;
  #more = this.#next();

  constructor(response: Response) {
    this.whole = this.#read(response);
    this.whole.catch(() => undefined);
  }

  /** Yield the pieces from the first one on. Throws if the clip breaks off. */
  async *pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (let at = 0; ;) {
      const piece = this.#pieces[at];
      if (piece) {
        at++;
        yield piece;
      } else if (this.#over) {
        await this.whole;
        return;
      } else await this.#more;
    }
  }

  async #read(response: Response): Promise<Blob> {
    try {
      const reader = response.body?.getReader();
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        this.#pieces.push(next.value);
        this.#grown();
      }
      return new Blob(this.#pieces, { type: response.headers.get('content-type') ?? STREAMED });
    } finally {
      this.#over = true;
      this.#grown();
    }
  }

  #grown(): void {
    this.#wake();
    this.#more = this.#next();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}

/** Return the clip of a response: as it arrives if it is still being made and can be played so, else whole. */
export async function received(response: Response): Promise<Blob | Arriving> {
  const made = response.headers.has('content-length') || response.headers.get('content-type') !== STREAMED;
  const streams = 'MediaSource' in globalThis && MediaSource.isTypeSupported(STREAMED);
  return made || !streams ? response.blob() : new Arriving(response);
}

/** Return the source of an audio element that plays a clip while it arrives. `failed` is called if it breaks off. */
export function sourceOf(clip: Arriving, failed: (error: unknown) => void): MediaSource {
  const source = new MediaSource();
  source.addEventListener(
    'sourceopen',
    () => {
      fill(source, clip).catch((error: unknown) => {
        if (source.readyState === 'open') failed(error); // a source that the element has left is of no use any more
      });
    },
    { once: true },
  );
  return source;
}

async function fill(source: MediaSource, clip: Arriving): Promise<void> {
  const buffer = source.addSourceBuffer(STREAMED);
  for await (const piece of clip.pieces()) {
    buffer.appendBuffer(piece);
    await new Promise((resolve, reject) => {
      buffer.onupdateend = resolve;
      buffer.onerror = buffer.onabort = reject;
    });
  }
  source.endOfStream();
}
