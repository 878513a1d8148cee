/**
 * Renders the map to one SVG file, with the page's faces and colours, to look at it or to print it.
 *
 *   node map/preview.mjs OUT.svg [--dark] [--later] [--bare] [--anchors]      (from frontend/)
 *
 * --later shows a board some years on, --bare leaves out names and units, --anchors marks every place for a unit.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'vite';

const HOME = {
  AUSTRIA: ['BOH BUD GAL TRI TYR VIE', 'SER', 'A BUD,F TRI,A VIE'],
  ENGLAND: ['CLY EDI LON LVP WAL YOR', 'NWY', 'F EDI,F LON,A LVP'],
  FRANCE: ['BRE BUR GAS MAR PAR PIC', 'POR SPA', 'F BRE,A MAR,A PAR'],
  GERMANY: ['BER KIE MUN PRU RUH SIL', 'DEN HOL', 'A BER,F KIE,A MUN'],
  ITALY: ['APU NAP PIE ROM TUS VEN', 'TUN', 'F NAP,A ROM,A VEN'],
  RUSSIA: ['FIN LVN MOS SEV STP UKR WAR', 'RUM SWE', 'A MOS,F SEV,F STP/SC,A WAR'],
  TURKEY: ['ANK ARM CON SMY SYR', 'BUL GRE', 'F ANK,A CON,A SMY'],
};
const FACES = [
  ['Spectral', 'italic', 500, 'spectral/files/spectral-latin-500-italic.woff2'],
  ['Barlow Semi Condensed', 'normal', 600, 'barlow-semi-condensed/files/barlow-semi-condensed-latin-600-normal.woff2'],
];
const WATER_LINES = [
  [26, 0.28],
  [16, 0.34],
  [8, 0.45],
  [3.6, 0.6],
];

const flags = new Set(process.argv.slice(2).filter((word) => word.startsWith('--')));
const target = process.argv.slice(2).find((word) => !word.startsWith('--'));
if (!target) throw new Error('name the file to write: node map/preview.mjs OUT.svg');

const vite = await createServer({ logLevel: 'error', server: { middlewareMode: true }, appType: 'custom' });
const map = await vite.ssrLoadModule('/src/boards/diplomacy/map/drawing.ts');
const { MAP, POWERS } = await vite.ssrLoadModule('/src/boards/diplomacy/map/palette.ts');
await vite.close();

const provinces = [...map.PROVINCES.values()];
const lands = provinces.filter(({ kind }) => kind !== 'sea');
const held = Object.entries(HOME).map(([power, [first, later]]) => ({
  power,
  codes: `${first}${flags.has('--later') ? ` ${later}` : ''}`.split(' '),
}));

const face = ([family, style, weight, file]) => {
  const data = readFileSync(new URL(`../node_modules/@fontsource/${file}`, import.meta.url)).toString('base64');
  return `@font-face{font-family:'${family}';font-style:${style};font-weight:${weight};src:url(data:font/woff2;base64,${data})}`;
};

const area = (path, fill) => `<path d="${path}" fill="${fill}"/>`;
const stroke = (path, colour, width, more = '') =>
  `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round" ${more}/>`;

function washes({ power, codes }) {
  const all = codes.map((code) => map.PROVINCES.get(code).path).join('');
  const { wash, strong } = POWERS[power];
  const rim = map.outline(codes);
  const band = stroke(rim, strong, 9, 'opacity=".28"') + stroke(rim, strong, 4, 'opacity=".5"');
  return `<clipPath id="${power}"><path d="${all}"/></clipPath>${area(all, wash)}<g clip-path="url(#${power})">${band}</g>`;
}

function name({ kind, label }) {
  const [x, y] = label.at;
  const leading = label.size * 1.1;
  const lines = label.lines.map((line, n) => {
    const down = y + label.size * 0.34 + (n - (label.lines.length - 1) / 2) * leading;
    return `<tspan x="${x + label.spread / 2}" y="${down}">${line}</tspan>`;
  });
  const turn = label.angle ? ` transform="rotate(${label.angle} ${x} ${y})"` : '';
  const style = `font-size="${label.size}" letter-spacing="${label.spread}"`;
  return `<text class="${kind === 'sea' ? 'sea' : 'land'}" ${style}${turn}>${lines.join('')}</text>`;
}

function unit(kind, [x, y], fill, edge) {
  const army = `<circle r="10"/><path d="M-4.5 3.4l9 -6.8m-9 0l9 6.8" fill="none"/>`;
  const fleet = '<path d="M-12 -1h24q-1 9-8 9h-8q-7 0-8-9zM-1 -3v-10q9 3 10 10zM-3 -3h-7q1-6 7-8z"/>';
  return `<g transform="translate(${x} ${y})" fill="${fill}" stroke="${edge}" stroke-width="1.3">${kind === 'A' ? army : fleet}</g>`;
}

function units() {
  return Object.entries(HOME).flatMap(([power, [, , list]]) =>
    list.split(',').map((item) => {
      const [code, coast] = item.slice(2).split('/');
      const province = map.PROVINCES.get(code);
      return unit(item[0], (province.coasts[coast] ?? province).unit, POWERS[power].strong, MAP.land);
    }),
  );
}

function anchors() {
  return provinces
    .flatMap((province) => [province, ...Object.values(province.coasts)])
    .map((spot) => unit('A', spot.unit, 'none', MAP.ink) + unit('A', spot.dislodged, 'none', '#c2452d'));
}

const dot = ([x, y]) =>
  `<g transform="translate(${x} ${y})"><circle r="4" fill="${MAP.land}" stroke="${MAP.ink}"/><circle r="1.7" fill="${MAP.ink}"/></g>`;

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${map.WIDTH} ${map.HEIGHT}">
<style>${FACES.map(face).join('')}
text{text-anchor:middle}
.land{font-family:'Barlow Semi Condensed';font-weight:600;fill:${MAP.ink};paint-order:stroke;stroke:${MAP.halo};stroke-width:2.4px;stroke-linejoin:round}
.sea{font-family:Spectral;font-style:italic;font-weight:500;fill:${MAP.seaInk}}</style>
<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" stroke="${MAP.coast}" stroke-width="1.3" opacity=".35"/></pattern>
<rect width="${map.WIDTH}" height="${map.HEIGHT}" fill="${MAP.sea}"/>
${WATER_LINES.map(([width, strength]) => stroke(map.COAST, MAP.shallow, width, `opacity="${strength}"`)).join('')}
${stroke(map.GRATICULE, MAP.graticule, 0.7)}${stroke(map.SEA_BORDERS, MAP.seaBorder, 1.1, 'stroke-dasharray="5 3"')}
${area(map.NEUTRAL, MAP.neutral)}${area(lands.map(({ path }) => path).join(''), MAP.land)}
${area(map.IMPASSABLE, MAP.neutral)}${area(map.IMPASSABLE, 'url(#hatch)')}
${held.map(washes).join('')}
${area(map.STRAITS, MAP.shallow)}${stroke(map.CROSSINGS, MAP.border, 0.9, 'stroke-dasharray="2 2"')}
${stroke(map.LAND_BORDERS, MAP.border, 0.9)}${stroke(map.COAST, MAP.coast, 1)}
${provinces.flatMap(({ center }) => (center ? [dot(center)] : [])).join('')}
${flags.has('--bare') ? '' : provinces.map(name).join('')}
${flags.has('--anchors') ? anchors().join('') : flags.has('--bare') ? '' : units().join('')}
</svg>`;
const theme = flags.has('--dark') ? '$2' : '$1';
writeFileSync(target, svg.replace(/light-dark\((#\w+|rgb\([^)]*\)), (#\w+|rgb\([^)]*\))\)/g, theme));
