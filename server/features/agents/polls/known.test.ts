import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { directCalls } from '../../../http/direct-calls.ts';
import { until } from '../../../testing/world.ts';
import { readKnown } from './known.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const http of servers.splice(0)) {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});

async function serverOfBodies() {
  const [lines, ends]: [string[], string[]] = [[], []];
  const log = { info: (o: object) => void lines.push(JSON.stringify(o)), error: (o: object) => void lines.push(JSON.stringify(o)) };
  const direct = directCalls({ headers: [], log, trust_proxy: 0 });
  direct.add('POST', '/polls', async ({ request: call, response }) => {
    await readKnown(call).then(
      () => ends.push('read'),
      (reason: Error) => {
        ends.push(reason.message);
        throw reason;
      },
    );
    response.end('{}');
  });
  const http = createServer((call, response) => void direct.answer(call, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  servers.push(http);
  const { port } = http.address() as AddressInfo;
  const begin = () => request({ port, host: '127.0.0.1', path: '/polls', method: 'POST' });
  return { begin, lines, ends };
}

async function answerOf(answer: IncomingMessage): Promise<[number | undefined, unknown]> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return [answer.statusCode, (JSON.parse(text) as { code?: string }).code];
}

const valid = JSON.stringify({ known: 1, known_epoch: 1, known_definitions: 1, protecting: true, wait: 0 });

test('[P14.5] a body in pieces is read, and an endless one is refused while it arrives', async () => {
  const { begin } = await serverOfBodies();
  const inPieces = begin();
  inPieces.write(valid.slice(0, 20));
  await once(inPieces, 'socket');
  inPieces.end(valid.slice(20));
  const [read] = (await once(inPieces, 'response')) as [IncomingMessage];
  expect(await answerOf(read)).toEqual([200, undefined]);
  const endless = begin();
  endless.write(`{"known": "${'x'.repeat(5_000)}`);
  const [refused] = (await once(endless, 'response')) as [IncomingMessage];
  expect(await answerOf(refused)).toEqual([413, 'body_too_large']);
  endless.on('error', () => {}).destroy();
});

test.each([
  ['no JSON', 'known=1'],
  ['nothing', ''],
  ['null', 'null'],
  ['a version that is none', valid.replace('"known":1', '"known":-1')],
  ['a name that would change prototypes', valid.replace('{', '{"__proto__":{},')],
  ['another name that would', valid.replace('{', '{"constructor":{"prototype":{}},')],
])('[P14.5] a body that is %s is refused', async (_what, body) => {
  const { begin } = await serverOfBodies();
  const [answer] = (await once(begin().end(body), 'response')) as [IncomingMessage];
  expect(await answerOf(answer)).toEqual([422, 'invalid_input']);
});

test('[P14.5] an agent that leaves in the middle of its body is neither answered nor an error of the server', async () => {
  const { begin, lines, ends } = await serverOfBodies();
  const cut = begin();
  cut.on('error', () => {}).write('{"known"');
  await once(cut, 'socket');
  // Its first bytes are there once another call of a later connection is.
  await once(begin().end(valid), 'response');
  cut.destroy();
  await until('the server to notice it', async () => ends.length === 2);
  expect(ends[0]).toBe('read');
  expect(lines).toEqual([]);
});
