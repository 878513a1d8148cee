/** Limits of the server that the page needs to know; `limits.test.ts` compares them with the server's source. */

/** The longest message, in characters. */
export const MESSAGE_CHARACTERS = 10_000;

/** Seconds that a held message waits for an operator's approval; after that it is not sent. */
export const REVIEW_SECONDS = 300;
