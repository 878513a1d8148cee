/* Written by scripts/generate_types.py from games/werewolf. Do not edit: change the source and run it again. */
import type {CoreEvents, EventOf} from '../../types.gen';

/**
 * The data of the events of werewolf, by type.
 */
export interface GameEvents {
  TableSet: TableSet;
  RoleDealt: RoleDealt;
  NoteWritten: NoteWritten;
  AttackChosen: AttackChosen;
  SeatProtected: SeatProtected;
  SeatChecked: SeatChecked;
  NightEnded: NightEnded;
  SpeechMade: SpeechMade;
  FalseClaimMade: FalseClaimMade;
  VotesShown: VotesShown;
  SeatOut: SeatOut;
  ShotFired: ShotFired;
  GameDecided: GameDecided;
}
/**
 * The match begins: how many seats have each role.
 */
export interface TableSet {
  dealt: {
    [k: string]: number;
  };
}
/**
 * A seat learned its role, and a wolf who the other is.
 */
export interface RoleDealt {
  seat: string;
  role: string;
  wolves: string[];
}
/**
 * A note written at night: to oneself, or from wolf to wolf.
 */
export interface NoteWritten {
  night: number;
  seat: string;
  text: string;
  readers: string[];
}
/**
 * The wolves attacked `target`, drawn at random if they named different seats.
 */
export interface AttackChosen {
  night: number;
  named: {
    [k: string]: string;
  };
  target: string;
}
/**
 * The doctor protected `target` in a night; `saved`: it was attacked.
 */
export interface SeatProtected {
  night: number;
  doctor: string;
  target: string;
  saved: boolean;
}
/**
 * The seer learned whether `target` is a wolf.
 */
export interface SeatChecked {
  night: number;
  seer: string;
  target: string;
  wolf: boolean;
}
/**
 * The night is over; `victim` is empty if nobody is out.
 */
export interface NightEnded {
  night: number;
  victim: string;
}
/**
 * A seat spoke: its acts, the kind of reason it gives, and its words.
 */
export interface SpeechMade {
  seat: string;
  day: number;
  acts: string[];
  because: string;
  text: string;
}
/**
 * An act of the last speech that the speaker knows to be false.
 */
export interface FalseClaimMade {
  seat: string;
  act: string;
}
/**
 * All votes are shown. `tied` are the seats with the most votes where there are several, and nobody is exiled.
 */
export interface VotesShown {
  day: number;
  ballot: number;
  votes: {
    [k: string]: string;
  };
  exiled: string;
  tied: string[];
}
/**
 * A seat is out, and its role is shown. `how`: `night`, `exile` or `shot`.
 */
export interface SeatOut {
  seat: string;
  role: string;
  day: number;
  how: string;
}
/**
 * The hunter took somebody along; `target` is empty for nobody.
 */
export interface ShotFired {
  seat: string;
  target: string;
}
/**
 * The match is over: the winner (`village`, `wolves` or `nobody`), and the role of every seat.
 */
export interface GameDecided {
  winner: string;
  roles: {
    [k: string]: string;
  };
}
/**
 * Whom each wolf named in a night, and whom they attacked.
 */
export interface Attack {
  night: number;
  named: {
    [k: string]: string;
  };
  target: string;
}
/**
 * A vote that was shown: the vote of each seat, who was exiled, and who was level if nobody was yet.
 */
export interface Ballot {
  day: number;
  ballot: number;
  votes: {
    [k: string]: string;
  };
  exiled: string;
  tied: string[];
}
/**
 * A seat that is out, and its role.
 */
export interface Death {
  seat: string;
  role: string;
  day: number;
  how: string;
}
/**
 * A result of the seer.
 */
export interface NightCheck {
  night: number;
  target: string;
  wolf: boolean;
}
/**
 * Words written at night: to oneself, or from wolf to wolf.
 */
export interface NightNote {
  night: number;
  seat: string;
  text: string;
}
/**
 * Everything that a seat may know.
 */
export interface Observation {
  seat: string;
  role: string;
  /**
   * The wolves, for a wolf.
   */
  wolves: string[];
  turn: string;
  day: number;
  /**
   * The number of seats with each role at the start.
   */
  dealt: {
    [k: string]: number;
  };
  alive: string[];
  out: Death[];
  /**
   * The seats that have yet to speak, in order.
   */
  order: string[];
  /**
   * The seats in a run-off.
   */
  tied: string[];
  speeches: Statement[];
  ballots: Ballot[];
  /**
   * The seer's results, for the seer.
   */
  checks: NightCheck[];
  /**
   * Whom the doctor protected, by night.
   */
  guards: string[];
  /**
   * The nights in which the protection saved somebody, for the doctor.
   */
  saves: number[];
  /**
   * The wolves' attacks, for a wolf.
   */
  attacks: Attack[];
  notes: NightNote[];
  /**
   * A sentence on how the match is scored; the page shows it at a person's seat.
   */
  scoring: string;
}
/**
 * A speech: its acts, the kind of reason that it gives, and its words.
 */
export interface Statement {
  day: number;
  turn: string;
  seat: string;
  acts: string[];
  because: string;
  text: string;
}

/** An event that a board of this game receives. A type that it does not know is none of these. */
export type GameEvent = EventOf<GameEvents & CoreEvents>;
