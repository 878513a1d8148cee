/** The letters that a seat sends in a round of press. */

export interface Letter {
  readonly to: readonly string[] | 'all';
  readonly text: string;
  /** What the letter binds both sides to, in the lines of the game's rules. */
  readonly pact?: readonly string[];
}
