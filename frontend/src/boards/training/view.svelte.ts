/** The view of a run that is shown: its learning or its league. The address remembers it. */

export type View = 'learning' | 'league';

const LEAGUE = '#league';

export const shown = $state<{ view: View }>({ view: 'learning' });

/** Show the view that the address names. */
export function read(): void {
  shown.view = location.hash === LEAGUE ? 'league' : 'learning';
}

/** Show a view, and name it in the address. */
export function show(view: View): void {
  shown.view = view;
  history.replaceState(history.state, '', view === 'league' ? LEAGUE : location.pathname + location.search);
}
