import { minute } from '@porchlight/contract/time.ts';
import { expect, test } from 'vitest';
import { superviseServer } from './server-supervisor.ts';

/** `lives`: how long each start runs, in milliseconds; after the last one the user stops everything, or in the pause after it. */
async function supervised(lives: number[], { ready = true, stopInPause = false } = {}) {
  let now = 0;
  let starts = 0;
  const printed: string[] = [];
  const pauses: number[] = [];
  let givenUp = '';
  const server = () => {
    const life = lives[starts] ?? 0;
    starts += 1;
    const ended = Promise.resolve().then(() => {
      now += life;
      return { code: 1, signal: null };
    });
    return { ended, output: () => `{"level":60,"msg":"an error","err":{"message":"end ${starts}"}}\n` };
  };
  await superviseServer(server(), {
    start: server,
    logFile: '/data/logs/server.log',
    wasReady: () => ready,
    isStopping: () => starts > lives.length || (stopInPause && pauses.length === lives.length),
    print: (sentence) => printed.push(sentence),
    giveUp(sentence) {
      givenUp = sentence;
    },
    now: () => now,
    sleep: async (ms) => pauses.push(ms),
  });
  return { starts: stopInPause ? starts : Math.min(starts, lives.length), printed, pauses, givenUp };
}

test('a server that ended by itself is started again, with its reason and its log in one sentence', async () => {
  expect(await supervised([2 * minute, 2 * minute])).toEqual({
    starts: 2,
    printed: ['end 1', 'end 2'].map((reason) => `The server stopped, and is started again; its log is /data/logs/server.log. ${reason}`),
    pauses: [250, 250],
    givenUp: '',
  });
});

test('a server that ends five times in a row within a minute of its start is not started again', async () => {
  const { starts, pauses, givenUp } = await supervised(Array.from({ length: 9 }, () => 1_000));
  expect([starts, pauses]).toEqual([5, [500, 1_000, 2_000, 4_000]]);
  expect(givenUp).toBe('end 5\nThe server stopped 5 times in a row; its log is /data/logs/server.log.');
});

test('a server that ran for a minute in between is started again after more than five ends', async () => {
  const { starts, givenUp } = await supervised([1, 1, 1, 1, minute, 1, 1, 1, 1]);
  expect([starts, givenUp]).toEqual([9, '']);
});

test('a server that was never ready is not started again', async () => {
  const { starts, printed, givenUp } = await supervised([1, 1], { ready: false });
  expect([starts, printed, givenUp]).toEqual([1, [], 'end 1\nThe server stopped; its log is /data/logs/server.log.']);
});

test('a server that ended is not started again if the user stops everything during the pause', async () => {
  const { starts, pauses, givenUp } = await supervised([minute, minute], { stopInPause: true });
  expect([starts, pauses.length, givenUp]).toEqual([2, 2, '']);
});
