import { day, hour } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { agentForTest, ended, linked, type TestAgent } from '../testing/agent.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

function advanceTime({ clock }: TestAgent, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
}
async function linkedWithAllowance(clockBy = 0): Promise<{ server: TestServer; test: TestAgent }> {
  const { server, test } = await linked();
  test.clock.now = new Date(test.clock.now.getTime() + clockBy);
  const [issued, expiresAt] = [Date.now(), Date.now() + hour].map((ms) => new Date(ms).toISOString());
  server.setPolicy({
    issued: String(issued),
    allow: [
      { type: 'definition', identifier: 'anydesk', until: String(expiresAt), reported_until: null },
      { type: 'definition', identifier: 'teamviewer', until: null, reported_until: null },
    ],
  });
  await until('the policy', async () => (await test.store.policy())?.version === 2);
  const polls = () => server.polls();
  const pollsBefore = polls();
  await until('the next poll', () => polls() > pollsBefore);
  return { server, test };
}

it('A10: a one-hour allowance that ended does not return when the clock is set back later, also after a restart', async () => {
  const { server, test } = await linkedWithAllowance();
  const [anydesk, teamviewer] = [test.os.start({ name: 'anydesk' }), test.os.start({ name: 'teamviewer' })];
  advanceTime(test, hour);
  await ended(test, anydesk);
  test.clock.now = new Date(test.clock.now.getTime() - day);
  await ended(test, test.os.start({ name: 'anydesk' }));
  await server.down();
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() - day), up: 30_000, boot: 'second' };
  const restartedAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock });
  await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
  expect(restartedAgent.os.running.has(teamviewer)).toBe(true);
});

it('A10: a one-hour allowance ends after an hour although the clock is set back and the agent restarts', async () => {
  const { server, test } = await linkedWithAllowance();
  advanceTime(test, 30 * 60_000);
  const anydesk = test.os.start({ name: 'anydesk' });
  test.clock.now = new Date(test.clock.now.getTime() - day);
  await until('what is left on the disk', async () =>
    (await test.store.timedAllowances()).some(({ span }) => span.seen_up >= test.clock.up),
  );
  await server.down();
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + 60_000), up: 60_000, boot: 'second' };
  const restartedAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock });
  advanceTime(restartedAgent, 28 * 60_000);
  expect(restartedAgent.os.running.has(anydesk)).toBe(true);
  advanceTime(restartedAgent, 60_000);
  await ended(restartedAgent, anydesk);
});

it('A10: a clock set back beforehand does not extend an allowance', async () => {
  const { test } = await linkedWithAllowance(-7 * day);
  const anydesk = test.os.start({ name: 'anydesk' });
  advanceTime(test, hour - 1);
  expect(test.os.running.has(anydesk)).toBe(true);
  advanceTime(test, 1);
  await ended(test, anydesk);
});
