/** The focus of the keyboard: it stays in the page, goes to what is asked next, and passes a group in one stop. */

/** The parts of a page that take the focus when the control in them that had it goes away. */
const PLACES = 'section, dialog, aside, main, footer, #app';

/** Give `element` the focus until another one has it. The tab key does not stop at it. */
export function enter(element: HTMLElement): void {
  element.tabIndex = -1;
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  element.focus({ preventScroll: true });
}

/** Return whether no control has the focus, so that what is asked next may take it. */
export function idle(): boolean {
  const at = document.activeElement;
  return at === null || at === document.body || at.matches(PLACES);
}

/** When the control that has the focus goes away, give it to the nearest part around it, until the function is called. */
export function keepFocus(root: HTMLElement): () => void {
  let around: readonly HTMLElement[] = [];
  const note = ({ target }: Event): void => {
    around = target instanceof Element ? placesAround(target) : [];
  };
  const mend = (): void => {
    const at = document.activeElement;
    if (at !== document.body && !at?.matches(':disabled')) return;
    const place = around.find((candidate) => candidate.isConnected && candidate.checkVisibility());
    if (place) enter(place);
  };
  // Whoever clicks beside all controls takes the focus away on purpose.
  const drop = (): void => {
    around = [];
  };
  const observer = new MutationObserver(mend);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', note);
  document.addEventListener('pointerdown', drop, true);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', note);
    document.removeEventListener('pointerdown', drop, true);
  };
}

function placesAround(element: Element): HTMLElement[] {
  const place = element.closest<HTMLElement>(PLACES);
  return place ? [place, ...(place.parentElement ? placesAround(place.parentElement) : [])] : [];
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Make the controls of `group` one stop of the tab key: the arrow keys go from one to the next. */
export function oneStop(group: HTMLElement): () => void {
  const controls = (): HTMLElement[] => [...group.querySelectorAll<HTMLElement>(':is(button, input):enabled')];
  const settle = (): void => {
    const all = controls();
    const stop = [
      (one: HTMLElement) => one === document.activeElement,
      (one: HTMLElement) => one.ariaPressed === 'true',
      (one: HTMLElement) => one.tabIndex === 0,
    ]
      .map((which) => all.find(which))
      .find((one) => one !== undefined);
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  };
  const step = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    const all = controls();
    const at = all.findIndex((one) => one === event.target);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    all[(at + by + all.length) % all.length]?.focus();
  };
  const observer = new MutationObserver(settle);
  observer.observe(group, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  group.addEventListener('focusin', settle);
  group.addEventListener('keydown', step);
  settle();
  return () => {
    observer.disconnect();
    group.removeEventListener('focusin', settle);
    group.removeEventListener('keydown', step);
  };
}
