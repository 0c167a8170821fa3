import { expect, onTestFinished, test } from 'vitest';
import { serverAdmission } from './server-admission.ts';

test('a refused call of an agent is remembered until it is asked for; a refused page of the dashboard is not', () => {
  const at = new Date('2026-11-21T14:05:00.000Z');
  const none = { roomOf: () => ({ connections: 0, waiting: 0 }), waitedFor: () => 0 };
  const wired = serverAdmission({ traffic: none, eventLoopDelay: () => 0, clock: { now: () => at }, config: { busy_after: 1_000 } });
  onTestFinished(wired.close);
  expect(wired.admission.admit({ complete: true }, 'web')).not.toBeNull();
  expect(wired.refusedAgent()).toBeNull();
  expect(wired.admission.admit({ complete: true }, 'agent')).not.toBeNull();
  expect(wired.refusedAgent()).toEqual(at);
  expect(wired.refusedAgent()).toBeNull();
});
