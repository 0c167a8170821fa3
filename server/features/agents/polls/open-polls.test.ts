import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { newLongPolls } from './long-polls.ts';
import { newOpenPolls } from './open-polls.ts';

/** These tests have real connections, real time, and a byte each 20 milliseconds. */
const known = { known: 1, known_epoch: 1, known_definitions: 1, protecting: true, wait: 240 };
const begun = { policy_version: 1, wait_max: 240, newest: { epoch: 1, version: 1 } };
const servers: { http: Server; close(): void }[] = [];
afterEach(async () => {
  for (const { http, close } of servers.splice(0)) {
    close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
});

async function serverOfPolls() {
  const longPolls = newLongPolls(() => performance.now());
  const ended: string[] = [];
  const polls = newOpenPolls({
    longPolls,
    headers: ['x-frame-options', 'DENY'],
    random: () => 0.5,
    began() {},
    ended: (device) => void ended.push(device),
    byte_interval: 20,
  });
  const beforeOpen: ((response: ServerResponse) => Promise<void>)[] = [];
  const http = createServer(async (call, response) => {
    await beforeOpen.shift()?.(response);
    const { device, ...change } = JSON.parse(String(call.headers.body)) as { device: string };
    polls.open({ response, known: { ...known, ...change }, begun: { ...begun, device }, since: longPolls.moment(), request_id: 'id' });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  servers.push({ http, close: polls.close });
  const { port } = http.address() as AddressInfo;
  const call = (device: string, change: object = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { body: JSON.stringify({ device, ...change }) };
      request({ port, host: '127.0.0.1', headers }, resolve).on('error', reject).end();
    });
  return { longPolls, polls, ended, call, beforeOpen };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}

test('[P14.5] a poll that waits gets bytes, which are white space before its JSON', async () => {
  const { longPolls, call } = await serverOfPolls();
  const answer = await call('a');
  expect([
    answer.statusCode,
    answer.headers['x-accel-buffering'],
    answer.headers['x-frame-options'],
    answer.headers['x-request-id'],
  ]).toEqual([200, 'no', 'DENY', 'id']);
  let text = '';
  answer.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text === '\n\n\n') longPolls.wake('a');
  });
  await once(answer, 'end');
  expect(text).toMatch(/^\n{3,}\{/);
  expect(JSON.parse(text)).toEqual({ changed: true, again_in: 0 });
});

test('[P14.5] a change between the reading of a device and its waiting is not lost, and an earlier one ends nothing', async () => {
  const { longPolls, call } = await serverOfPolls();
  longPolls.wake('a');
  const answer = call('a', { wait: 0 });
  expect(JSON.parse(await textOf(await answer))).toEqual({ changed: false, again_in: 0 });
  const since = longPolls.moment();
  longPolls.wake('a');
  const waits = (device: string) => longPolls.add({ device, known_version: 1, timer: null, finish() {} }, 0, since);
  expect([waits('a'), waits('b')]).toEqual([false, true]);
  await longPolls.catchUp(async () => []);
  expect(waits('b')).toBe(false);
});

test('[P14.5] a server that stops ends all polls, and spreads the return of the agents', async () => {
  const { polls, call, longPolls, ended } = await serverOfPolls();
  const answers = Array.from({ length: 40 }, async (_, n) => JSON.parse(await textOf(await call(`device ${n}`))) as unknown);
  await expect.poll(longPolls.count).toBe(40);
  polls.close();
  expect(await Promise.all(answers)).toEqual(Array(40).fill({ changed: false, again_in: 20 }));
  expect(ended).toHaveLength(40);
});

test('[P14.5] a poll whose agent has gone is forgotten, and the one beside it waits on', async () => {
  const { call, longPolls, ended } = await serverOfPolls();
  const [gone, staying] = [await call('a'), await call('b')];
  gone.destroy();
  await expect.poll(() => ended).toEqual(['a']);
  expect(longPolls.count()).toBe(1);
  longPolls.wake('b');
  expect(JSON.parse(await textOf(staying))).toEqual({ changed: true, again_in: 0 });
});

test('[P14.5] a poll whose agent has gone before it waits is not counted as waiting', async () => {
  const { call, longPolls, beforeOpen } = await serverOfPolls();
  beforeOpen.push(async (response) => {
    response.socket?.destroy();
    await once(response, 'close');
  });
  expect(await call('a').catch(() => null)).toBeNull();
  expect(longPolls.count()).toBe(0);
  const staying = call('b');
  await expect.poll(longPolls.count).toBe(1);
  longPolls.wake('b');
  expect((await staying).statusCode).toBe(200);
});
