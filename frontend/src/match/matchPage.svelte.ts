/** What the parts of the match page share: the match, what may be told of it, and what the viewer may do. */

import { Audience } from '../audience/audience.svelte';
import { boardProps } from '../episode/boardProps';
import { curveOf } from '../episode/curve';
import { placeAt } from '../episode/record/moments';
import { timeAt } from '../episode/record/steps';
import { lagOf } from '../episode/show/lag';
import { BEHIND, PLAYER_BEHIND } from '../episode/show/pace';
import { personWaitedFor, undecided } from '../episode/waiting';
import { Watch } from '../episode/watch.svelte';
import { Lazy } from '../lib/lazy.svelte';
import { still } from '../lib/still';
import { plain } from '../lib/text';
import { access } from '../net/access.svelte';
import { at, get } from '../net/api';
import { poll } from '../net/poll.svelte';
import { forgetSeat, keptSeat, restoreSeat } from '../net/seats';
import { now } from '../net/serverClock.svelte';
import { keep, read } from './address';
import { returnToSeat } from './returnToSeat';
import type { SeatPlay } from '../controls/seat/seatPlay.svelte';
import type { EpisodeSummary, SeatView } from '../types.gen';

/** Milliseconds between requests for the place in the queue. */
const QUEUED = 5000;
const OVER: ReadonlySet<string> = new Set(['finished', 'stopped', 'error', 'interrupted']);

export class MatchPage {
  readonly watch: Watch;
  /** The seat of which this is the viewpoint; null if it is none. */
  readonly seat: string | null;
  /** The parts that are not needed for the first view, and the controls of those who may act. */
  readonly #tabs = new Lazy(() => import('./side/tabs.lazy'));
  readonly #controls = new Lazy(() => import('../controls/controls.lazy'));
  /** The seat that is played here. */
  play = $state.raw<SeatPlay | null>(null);
  /** Whether the card of the result has been closed. */
  closed = $state(false);
  /** The moment to fork from, while the dialog asks for confirmation. */
  forkAt = $state<number | null>(null);
  help = $state(false);
  /** Whether the viewer has watched a live match to its end, and has not gone back since. */
  leads = $state(false);
  /** A seat that was taken in another tab, which may be closed by now. */
  kept: ReturnType<typeof keptSeat> = $state.raw(null);

  view = $derived.by(() => this.watch.view);
  episode = $derived.by(() => this.watch.episode);
  board = $derived.by(() => this.watch.board);
  names = $derived.by(() => this.watch.names);
  lazy = $derived(this.#tabs.module);
  missing = $derived(this.#tabs.failed);
  controls = $derived.by(() => (access.acts(this.watch.id) ? this.#controls.module : null));
  narrated = $derived(this.view?.narrated ?? null);
  shell = $derived(this.narrated?.shell ?? null);
  live = $derived.by(() => this.watch.connection.name !== 'complete');
  viewpoints = $derived(this.episode ? access.viewpoints(this.episode, !this.live) : []);
  waiting = $derived.by(() => {
    const { narrated, shell, view, board } = this;
    if (!narrated || shell?.status !== 'live' || !view?.following || !board) return [];
    return undecided(board, narrated).filter((seat) => !shell.requests[seat]?.ready);
  });
  person = $derived.by(() => {
    const { view, episode, names, shell, waiting } = this;
    if (!view || !episode || !names || !shell) return null;
    return personWaitedFor(episode, shell, names, waiting, now.seconds, timeAt(view.store.slots, shell.turnSeq));
  });
  mayPlay = $derived.by(() => this.seat !== null && access.plays(this.watch.id, this.seat));
  /** Whether the end is told of a match that is over. */
  ended = $derived(this.view?.following === true && this.shell !== null && OVER.has(this.shell.status));
  over = $derived(this.view !== null && OVER.has(this.view.status) && !this.live);

  /** Seconds by which what is told is behind the live match; null if it is told as it happens. */
  lag = $derived.by(() => (this.view ? lagOf(this.view, now.seconds, this.episode?.delay) : null));

  /** What viewers say, which whoever plays does not ask for. */
  readonly audience: Audience;

  title = $derived(this.episode ? plain(this.episode.title, 80) : 'A match');

  #waits = $derived(this.view?.status === 'queued');
  #queued = poll(
    (gone) => (this.#waits ? get<EpisodeSummary>(at(this.watch.id), gone) : null),
    () => QUEUED,
  );
  queue = $derived(this.#queued.value?.queue ?? null);

  /** The properties of the board, and those of the panels, which tell in words and numbers what may be told. */
  properties = $derived.by(() => {
    const { view, episode } = this;
    if (!episode || !view?.moment) return null;
    const look = (seq: number): void => this.watch.show.look(seq);
    return { ...boardProps(view, view.moment, episode, !still.current), look };
  });
  narratedProperties = $derived.by(() => {
    const { board, names, properties, view } = this;
    if (!properties || !view || !board || !names) return null;
    const place = (seq: number): string => placeAt(view.landmarks.ticks, names, seq);
    const chances = { curve: curveOf(board, view), place };
    return { ...properties, state: properties.narrated, previous: null, animate: false, chances };
  });
  /**
   * Whether choices are made on the board: a person at this page plays a seat, and the live moment is shown. Its layout
   * stays between turns, so that nothing changes size.
   */
  playing = $derived(
    this.properties !== null &&
      !!this.board?.play &&
      this.play?.view != null &&
      this.view?.following === true &&
      this.view.status === 'live',
  );
  readonly #keepAddress: () => void;

  constructor(id: string, search: URLSearchParams) {
    const as = search.get('as') ?? 'spectator';
    const place = read(search);
    restoreSeat(id, as);
    this.seat = as.startsWith('seat:') ? as.slice('seat:'.length) : null;
    // Players are shown what happened in short, because their clocks run; all others watch at the pace of the show.
    this.watch = new Watch(id, as, { ...place, behind: this.seat ? PLAYER_BEHIND : BEHIND });
    this.kept = keptSeat(id);
    this.audience = new Audience(
      id,
      () => this.seat === null && this.board?.terms.steered === true,
      () => this.live,
    );
    this.#keepAddress = keep(this.watch, place);
    let live = false;
    this.watch.on({
      view: ({ following, status }) => {
        live ||= status === 'live';
        if (!following) this.leads = false;
      },
      ended: ({ following }) => {
        forgetSeat(id);
        this.leads = live && following && this.seat === null;
      },
    });
  }

  open(): void {
    this.watch.open();
    void access.ask();
  }

  close(): void {
    this.#keepAddress();
    this.watch.close();
  }

  /** A seat is asked for its next decision when what happened has been shown; its clock is shown all the time. */
  shownToSeat(asked: SeatView): SeatView {
    return this.view?.late ? { ...asked, asked: null } : asked;
  }

  async goBack(): Promise<void> {
    if (this.kept && !(await returnToSeat(this.watch.id, this.kept))) this.kept = null;
  }

  fullScreen(): void {
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  }
}
