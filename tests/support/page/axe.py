"""The rules of axe for the tests of the page: they need no more than the page's packages."""

from __future__ import annotations

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules whose result depends on the theme."""

FAULTS = """async ([context, theme, rules]) => {
    document.documentElement.dataset.theme = theme;
    const painted = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = () => document.getAnimations().some(({ playState }) => playState === 'running');
    let still = 0;
    for (let frames = 0; still < 2 && frames < 100; frames++, still = moving() ? 0 : still + 1) await painted();
    const options = rules ? { runOnly: rules } : {};
    const { violations } = await axe.run(context, { resultTypes: ['violations'], ...options });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => {
        const { fgColor, bgColor, contrastRatio } = node.any[0]?.data ?? {};
        const colours = contrastRatio ? ` ${fgColor} on ${bgColor}: ${contrastRatio}` : '';
        return `${theme}: ${id}: ${node.target.join(' ')}${colours} ${node.html.slice(0, 120)}`;
    }));
}"""
