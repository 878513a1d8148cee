"""The rules of axe for the tests of the page: they need no more than the page's packages."""

from __future__ import annotations

COLOURS = ["color-contrast", "link-in-text-block"]
OF_COLOURS = {"runOnly": COLOURS}
"""The rules whose result depends on the theme."""
ALL = {"rules": {"target-size": {"enabled": True}}}
"""Every rule, with the size of what can be clicked, which axe leaves out by default."""
BUT_COLOURS = {"rules": ALL["rules"] | {rule: {"enabled": False} for rule in COLOURS}}
"""The others, which take a third of the time."""

LOOKS = """
    window.looks = (node) => {
        const { color, backgroundColor, opacity, fontSize, fontWeight } = getComputedStyle(node);
        const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
        return node.checkVisibility() && [color, backgroundColor, opacity, large].join();
    };
"""
"""What the rules of colours apply to in an element: large text needs less contrast."""

SEE = """() => {
    window.seen = new WeakMap([...document.querySelectorAll('*')].map((node) => [node, looks(node)]));
}"""
"""Remember how the elements look."""

NEWLY_SHOWN = """() => {
    const shown = (node) => looks(node) && looks(node) !== window.seen.get(node);
    const outermost = [...document.body.querySelectorAll('*')].filter((n) => shown(n) && !shown(n.parentElement));
    outermost.forEach((node) => node.setAttribute('data-newly-shown', ''));
    return outermost.length;
}"""
"""Mark, and count, the outermost of the elements that are shown now and were not, or looked otherwise."""

FAULTS = """async ([context, theme, options]) => {
    document.documentElement.dataset.theme = theme;
    const painted = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = () => document.getAnimations().some(({ playState }) => playState === 'running');
    let still = 0;
    for (let frames = 0; still < 2 && frames < 100; frames++, still = moving() ? 0 : still + 1) await painted();
    const { violations } = await axe.run(context, { resultTypes: ['violations'], ...options });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => {
        const { fgColor, bgColor, contrastRatio } = node.any[0]?.data ?? {};
        const colours = contrastRatio ? ` ${fgColor} on ${bgColor}: ${contrastRatio}` : '';
        const covers = node.any[0]?.relatedNodes?.[0];
        const cover = covers ? ` beside or beneath ${covers.html.slice(0, 120)}` : '';
        const screen = `${innerWidth} by ${innerHeight} of ${document.documentElement.scrollHeight}`;
        return `${theme}: ${id}: ${node.target.join(' ')}${colours} ${node.html.slice(0, 120)}${cover} (${screen})`;
    }));
}"""
