// Play a seat by chance, to the end of its match: node examples/bot.mjs URL EPISODE SEAT TOKEN

const [url, episode, seat, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

/** Return the answer of the seat's address; ask again while there is none, which is safe with a number. */
async function call(method, path = '', body = undefined) {
  for (;;) {
    const request = { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(90_000) };
    const answer = await fetch(`${url}/api/episodes/${episode}/seats/${seat}${path}`, request).catch(() => null);
    if (answer && answer.status < 500) return answer.json();
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

const any = (list) => list[Math.floor(Math.random() * list.length)];
const action = ({ orders, must }) =>
  orders ? { orders: Object.values(orders).map(any) } : { tool: must, arguments: {} };

for (;;) {
  const view = await call('GET', '?wait=30');
  const { number, asked, field, detail } = view;
  if (field === 'seat') console.log(detail, (await call('POST', '/take')).detail ?? 'taken back');
  else if (field) {
    console.log(detail);
    break;
  } else if (asked === 'negotiate') await call('POST', '', { messages: [], number });
  else if (asked === 'choose') {
    const answer = await call('POST', '', { action: action(view.legal), number });
    if ((answer.field ?? 'number') !== 'number') await call('POST', '', { action: { orders: [] }, number });
  }
}
