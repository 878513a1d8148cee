import { render } from 'svelte/server';
import { expect, test } from 'vitest';

import ReportView from './Report.svelte';
import { report, section } from './testing/report';
import { tabsOf } from './addresses';

const text = (html: string): string =>
  html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const drawn = (tab = ''): string => render(ReportView, { props: { report, tab } }).body;

test('the result, its summary and the progress stand first', () => {
  expect(text(drawn())).toMatch(/^ ?Undecided heron leads\. 24 of 30 matches, 1 failed, about 12 min left/);
});

test('figures have their interval, their sample and their part', () => {
  const words = text(drawn());
  expect(words).toContain('Gain +0.076 ± 0.021 95 % interval, n = 70');
  expect(words).toContain('Played 24 of 30');
});

test('a table shows values, intervals and why there is none; its heads sort', () => {
  const html = drawn();
  const words = text(html);
  expect(words).toContain('0.854 0.730 to 0.927');
  expect(words).toContain('0.500 n too small for an interval');
  expect(html).toMatch(/<th scope="col"[^>]* aria-sort="none"/);
  expect(html).toMatch(/<th scope="row"[^>]*>.*?heron/s);
});

test('a cell of a matrix has its share and interval, a reason, or nothing', () => {
  const words = text(drawn());
  expect(words).toContain('25 % 10–40 %');
  expect(words).toContain('3 situations');
});

test('a chart draws its five marks, and says what it shows', () => {
  const html = drawn();
  const [curves = ''] = /<section[^>]*aria-label="Curves".*?<\/section>/s.exec(html) ?? [];
  for (const kind of ['line', 'band', 'dots', 'bars', 'rule'])
    expect(curves, kind).toMatch(new RegExp(`<g class="${kind}\\b`));
  expect(curves).toContain('It grows.');
  expect(curves).toContain('aria-label="Curves: values along the chart"');
  expect(text(curves)).toContain('heron 3');
});

test('a chart without a y axis draws intervals along x', () => {
  const [claim = ''] = /<section[^>]*aria-label="The claim".*?<\/section>/s.exec(drawn()) ?? [];
  expect(claim).toMatch(/class="whisker[^"]*" d="M[\d.]+ [\d.]+H/);
  expect(text(claim)).toContain('least effect');
});

test('sections with a tab are shown on it alone, those without one always', () => {
  expect(text(drawn())).not.toContain('Match 0');
  const words = text(drawn('all-matches'));
  expect(words).toContain('Match 1');
  expect(words).not.toContain('Match 2');
  expect(words).toContain('Show all 3');
  for (const each of [text(drawn()), words]) expect(each).toContain('Separated heron is ahead of dumb.');
  expect(drawn('no such tab')).toBe(drawn());
});

test('a value leads to the episode of its link', () => {
  expect(drawn('all-matches')).toContain('href="/episode/cup-1"');
});

test('a report without tabs has no list of them', () => {
  const bare = { ...report, sections: [section('notes', { kind: 'notes', notes: [] })] };
  expect(render(ReportView, { props: { report: bare } }).body).not.toContain('tablist');
});

test('the tabs are in the order of their first sections', () => {
  expect(tabsOf(report.sections)).toEqual([
    { id: 'standings', title: 'Standings' },
    { id: 'all-matches', title: 'All matches' },
  ]);
});
