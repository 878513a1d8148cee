// A Node server with the `ws` package that sends one match to many viewers, for benchmarks/stream.py.
//
//   NODE_PATH=.cache/ws/node_modules node stream_server.cjs
//
// Prints its port and its path. A line "RATE SECONDS" on standard input has it publish that many events a second for so
// long; then it prints how many it published. Each event is encoded once, as one text message. It records nothing.
const { createInterface } = require('node:readline');
const { WebSocketServer } = require('ws');

const PADDING = 'x'.repeat(860);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 2048 });
let seq = 1;

function publish() {
  const data = { t: Number(process.hrtime.bigint()), text: PADDING };
  const event = { episode_id: 'bench', epoch: 1, seq: seq++, at: 1.0, type: 'Said', audience: 'public', data };
  const frame = JSON.stringify({ frame: 'event', event });
  for (const viewer of server.clients) viewer.send(frame);
}

async function publishAll(rate, seconds) {
  const count = Math.floor(rate * seconds);
  const began = performance.now();
  for (let number = 0; number < count; number++) {
    const wait = began + (1000 * number) / rate - performance.now();
    await new Promise((resolve) => (wait > 0 ? setTimeout(resolve, wait) : setImmediate(resolve)));
    publish();
  }
  console.log(count);
}

server.on('listening', async () => {
  console.log(`${server.address().port} /`);
  for await (const line of createInterface({ input: process.stdin })) await publishAll(...line.split(' ').map(Number));
  process.exit();
});
