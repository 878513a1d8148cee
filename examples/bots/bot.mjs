// Play a seat of any game by chance, to the end of its match: node examples/bots/bot.mjs URL EPISODE SEAT TOKEN

const [url, episode, seat, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

/** Return the answer of the seat's address; ask again while there is none, which is safe with a number. */
async function call(method, path = '', body = undefined) {
  for (;;) {
    const request = { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(90_000) };
    const answer = await fetch(`${url}/api/episodes/${episode}/seats/${seat}${path}`, request).catch(() => null);
    const data = answer && answer.status < 500 ? await answer.json().catch(() => null) : null;
    if (data) return data;
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

const upTo = (count) => Math.floor(Math.random() * count);

/** Return a random value for one slot of the choices. */
function value({ kind, options = [], least, low, high, step, default: preset }) {
  if (kind === 'number') return low + step * upTo((high - low) / step + 1);
  if (kind === 'pick') return options[upTo(options.length)].word;
  return preset ?? options.slice(0, least).map(({ word }) => word);
}

/** Return the action that random values make, stage by stage; texts stay empty. */
async function action(number) {
  for (const chosen = {}; ; ) {
    const answer = await call('POST', '/choices', { number, chosen });
    const open = ({ kind, name }) => kind !== 'text' && !(name in chosen);
    const stage = answer.stages?.find((slots) => slots.some(open));
    if (!stage) return answer.action;
    for (const slot of stage.filter(open)) chosen[slot.name] = value(slot);
  }
}

for (;;) {
  const { number, asked, field, detail } = await call('GET', '?wait=30');
  if (field === 'seat') console.log(detail, (await call('POST', '/take')).detail ?? 'taken back');
  else if (field) {
    console.log(detail);
    break;
  } else if (asked === 'negotiate') await call('POST', '', { messages: [], number });
  else if (asked === 'choose') await call('POST', '', { action: await action(number), number }); // anew after a refusal
}
