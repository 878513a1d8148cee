"""Time that stands still on a page, so that what it shows for a moment lasts until a test has seen it."""

from __future__ import annotations

STANDING = """
    const [after, clear, every, now] = [setTimeout, clearTimeout, setInterval, Date.now];
    const held = new Map();
    let at = 0;
    // The shortest ones join what arrives together: they do not measure time for a viewer.
    window.setTimeout = (act, delay = 0, ...values) => {
        const run = () => act(...values);
        const id = after(() => (at && delay > 200 ? held.set(id, run) : run()), delay);
        return id;
    };
    window.clearTimeout = (id) => (held.delete(id), clear(id));
    window.setInterval = (act, delay, ...values) => every(() => at || act(...values), delay);
    Date.now = () => at || now();
    window.standStill = () => { at ||= now(); };
    window.goOn = () => {
        at = 0;
        const due = [...held.values()];
        held.clear();
        due.forEach((run) => run());
    };
    new MutationObserver((_, observer) => {
        const shown = window.standAt && [...document.querySelectorAll('button')].some(
            (button) => button.textContent.trim() === window.standAt);
        if (shown) observer.disconnect(), standStill();
    }).observe(document, { subtree: true, childList: true });
"""
"""For an init script: the page's timers and its date stand still from `standStill()` until `goOn()`, or from the moment
in which a button with the text `window.standAt` is shown."""
