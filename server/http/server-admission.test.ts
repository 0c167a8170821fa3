import { expect, onTestFinished, test } from 'vitest';
import { serverAdmission } from './server-admission.ts';

test("the time when an agent's call was refused is stored until it is read, and a refused dashboard call is not stored", () => {
  const fixedTime = new Date('2026-11-21T14:05:00.000Z');
  const noTraffic = { roomOf: () => ({ connections: 0, waiting: 0 }), waitedFor: () => 0 };
  const built = serverAdmission({
    traffic: noTraffic,
    eventLoopDelay: () => 0,
    clock: { now: () => fixedTime },
    config: { busy_after: 1_000 },
  });
  onTestFinished(built.close);
  expect(built.admission.admit({ complete: true }, 'web')).not.toBeNull();
  expect(built.refusedAgent()).toBeNull();
  expect(built.admission.admit({ complete: true }, 'agent')).not.toBeNull();
  expect(built.refusedAgent()).toEqual(fixedTime);
  expect(built.refusedAgent()).toBeNull();
});
