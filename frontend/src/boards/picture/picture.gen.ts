/* Written by scripts/generate_types.py from games/picture.py. Do not edit: change the source and run it again. */
import type {EventOf} from '../../types.gen';

/**
 * The data of the events of pictures, by type.
 */
export interface PictureEvents {
  PictureShown: PictureShown;
  PictureSeen: PictureSeen;
}
/**
 * The public board. It precedes the events of the move that changed it.
 */
export interface PictureShown {
  state: Picture;
}
/**
 * A moment. Later places and things are drawn over earlier ones.
 */
export interface Picture {
  places: Place[];
  things: Thing[];
  /**
   * The moment in a sentence, for screen readers, links and terminals.
   */
  describe: string;
  figures?: PictureFigure[];
  width?: number;
  height?: number;
  /**
   * Whether the edges may be cut off where the room has another shape, as those of a map.
   */
  bleeds?: boolean;
}
/**
 * A place of the board, in the picture's units. Things at it stand at (x, y).
 */
export interface Place {
  id: string;
  x: number;
  y: number;
  width?: number;
  height?: number;
  /**
   * `box`, `disc`, `hex`, `none`, or the path of an outline in the picture's units, as in SVG.
   */
  outline?: string;
  /**
   * Text at the place, if there is room.
   */
  label?: string;
  /**
   * For screen readers and hints; if empty, the label or the id is used.
   */
  name?: string;
  owner?: string;
  tone?: '' | 'paper' | 'table' | 'land' | 'water' | 'dark' | 'light' | 'accent' | 'good' | 'bad' | 'muted';
  holds?: 'one' | 'row' | 'stack';
}
/**
 * A thing at a place: a piece, a card, a token, a bar, a text; or an arrow or a line from a place to another.
 */
export interface Thing {
  id: string;
  kind: 'piece' | 'card' | 'token' | 'arrow' | 'line' | 'bar' | 'text';
  /**
   * The id of a place, or a point.
   */
  at: string | [number, number];
  /**
   * The end of an arrow or a line.
   */
  to?: string | [number, number];
  /**
   * A few letters on it: `K♥`, `3`.
   */
  label?: string;
  /**
   * For screen readers and hints; if empty, the label is used.
   */
  name?: string;
  owner?: string;
  tone?: '' | 'paper' | 'table' | 'land' | 'water' | 'dark' | 'light' | 'accent' | 'good' | 'bad' | 'muted';
  state?: '' | 'hidden' | 'muted' | 'strong' | 'failed' | 'support';
  /**
   * The path of a piece's outline around (0, 0), as in SVG, for a place 10 wide; a disc where it is empty.
   */
  symbol?: string;
  /**
   * A multiple of the usual size: that of the place, or a tenth of the picture's shorter side at a point and for an
   * arrow or a line.
   */
  size?: number;
  /**
   * The part of a bar that is full, from 0 to 1.
   */
  value?: number;
}
/**
 * A number or word beside the board.
 */
export interface PictureFigure {
  label: string;
  value: string;
  owner?: string;
}
/**
 * The places and things that only one seat sees; they replace public ones of the same ids.
 */
export interface PictureSeen {
  seat: string;
  places: Place[];
  things: Thing[];
  figures: PictureFigure[];
  describe: string;
}

/** An event that says what is to be seen. */
export type PictureEvent = EventOf<PictureEvents>;
/** The colours of seats without colours of their own, in the order of the seats: on light and on dark ground. */
export const COLOURS = [
  ['#1f5fa8', '#7db4f0'],
  ['#b03a2e', '#f0897d'],
  ['#2f7d4f', '#74c893'],
  ['#8a5a00', '#e0b35a'],
  ['#7a4a9e', '#c49ae6'],
  ['#0f7480', '#63c3cf'],
  ['#a13d74', '#ea93c3'],
  ['#5a6270', '#b4bdca'],
] as const;
