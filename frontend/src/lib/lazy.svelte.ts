/** A module that is fetched when it is first read; whoever has read it is told when it is here. */
export class Lazy<T> {
  /** Whether it could not be fetched. */
  failed = $state(false);
  #module = $state.raw<T | null>(null);
  #asked = false;

  constructor(private readonly load: () => Promise<T>) {}

  get module(): T | null {
    if (!this.#asked) {
      this.#asked = true;
      this.load().then(
        (module) => (this.#module = module),
        () => (this.failed = true),
      );
    }
    return this.#module;
  }
}
