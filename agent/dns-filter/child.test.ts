import { expect, it, onTestFinished } from 'vitest';
import { until } from '../testing/until.ts';
import { type FilterChild, filterChild } from './child.ts';

/** The command of a process that answers pings and runs `body` after each answer. */
const answering = (body: string) => [
  process.execPath,
  '-e',
  `process.on('message', () => { process.send({ kind: 'pong' }, () => {}); ${body} })`,
];
const limits = { pingEvery: 5, answer: 20, start: 60_000, stable: 60_000 };

it('[P4.7] a DNS filter that takes longer to load than the limit for later answers is not killed', async () => {
  const failuresAtAnswer: number[] = [];
  const child = filterChild({
    command: () => answering(''),
    limits,
    onStart: () => {},
    onMessage: () => void failuresAtAnswer.push(child.failures()),
    onExit: () => {},
  });
  onTestFinished(child.close);
  await until('the first answer', () => failuresAtAnswer.length > 0);
  expect(failuresAtAnswer[0]).toBe(0);
});

it('[P4.7] a DNS filter that answered and then hangs is killed and restarted', async () => {
  let [starts, answers] = [0, 0];
  const child = filterChild({
    command: () => answering('for (;;) {}'),
    limits,
    onStart: () => void starts++,
    onMessage: () => void answers++,
    onExit: () => {},
  });
  onTestFinished(child.close);
  await until('the second process to answer', () => starts >= 2 && answers >= 2);
  expect(child.failures()).toBeGreaterThanOrEqual(1);
});

it('[P4.7] a DNS filter that never answers is killed when its time to start is over, and counts as failing however long that took', async () => {
  let child: FilterChild | null = null;
  const failuresAtExit: number[] = [];
  child = filterChild({
    command: () => [process.execPath, '-e', 'for (;;) {}'],
    limits: { ...limits, start: 50, stable: 20 },
    onStart: () => {},
    onMessage: () => {},
    onExit: () => void failuresAtExit.push(child?.failures() ?? 0),
  });
  onTestFinished(child.close);
  await until('three processes', () => failuresAtExit.length >= 3);
  expect(failuresAtExit.slice(0, 3)).toEqual([1, 2, 3]);
});

it('a DNS filter that answered and ran for long begins a new row of failures when it crashes', async () => {
  const failuresAtExit: number[] = [];
  const child: FilterChild = filterChild({
    command: () => answering('setTimeout(() => process.exit(1), 100);'),
    limits: { ...limits, answer: 60_000, stable: 20 },
    onStart: () => {},
    onMessage: () => {},
    onExit: () => void failuresAtExit.push(child.failures()),
  });
  onTestFinished(child.close);
  await until('two crashes', () => failuresAtExit.length >= 2);
  expect(failuresAtExit.slice(0, 2)).toEqual([1, 1]);
});
