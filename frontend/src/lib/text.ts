/**
 * Text that agents wrote is untrusted: it is shown only as text, cut to a length, and characters that would hide or
 * reorder text are made visible.
 */

// C0 and C1 controls except the line feed; zero-width, bidirectional and interlinear controls; the byte-order mark;
// variation selectors and tags, which can smuggle invisible text.
const UNSEEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const MANY_MARKS = /(\p{M}{3})\p{M}+/gu;

function name(character: string): string {
  if (character === '\t') return ' ';
  return `‹${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** Return `text` as it may be shown: at most `limit` characters, no invisible ones, no stacks of combining marks. */
export function plain(text: string, limit: number): string {
  const characters = Array.from(text.slice(0, limit * 2 + 2));
  const cut = characters.length > limit || text.length > limit * 2 + 2;
  const kept = cut ? `${characters.slice(0, limit).join('')}…` : text;
  return kept.normalize('NFC').replace(UNSEEN, name).replace(MANY_MARKS, '$1');
}

/** Return `text` with its first letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
