import { expect, it } from 'vitest';
import { agentForTest, ended, linked, type TestAgent } from '../testing/agent.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const hour = 3_600_000;
const day = 24 * hour;

function passes({ clock }: TestAgent, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
}
/** Allowed for one hour, as the server says it; and something else until it is removed. */
async function allowed(clockBy = 0): Promise<{ server: TestServer; test: TestAgent }> {
  const { server, test } = await linked();
  test.clock.now = new Date(test.clock.now.getTime() + clockBy);
  const [issued, until_] = [Date.now(), Date.now() + hour].map((ms) => new Date(ms).toISOString());
  server.setPolicy({
    issued: String(issued),
    allow: [
      { type: 'definition', identifier: 'anydesk', until: String(until_) },
      { type: 'definition', identifier: 'teamviewer', until: null },
    ],
  });
  await until('the policy', async () => (await test.store.policy())?.version === 2);
  const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
  const before = polls();
  await until('the next poll', () => polls() > before);
  return { server, test };
}

it('A10: a one-hour allowance stays over when the clock is set back later, also after a restart', async () => {
  const { server, test } = await allowed();
  const [anydesk, teamviewer] = [test.os.start({ name: 'anydesk' }), test.os.start({ name: 'teamviewer' })];
  passes(test, hour);
  await ended(test, anydesk);
  test.clock.now = new Date(test.clock.now.getTime() - day);
  await ended(test, test.os.start({ name: 'anydesk' }));
  await server.down();
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() - day), up: 30_000, boot: 'second' };
  const again = await agentForTest(server, { os: test.os, folder: test.folder, clock });
  await ended(again, again.os.start({ name: 'anydesk' }));
  expect(again.os.running.has(teamviewer)).toBe(true);
});

it('A10: a one-hour allowance ends after an hour although the clock is set back and the agent restarts', async () => {
  const { server, test } = await allowed();
  passes(test, 30 * 60_000);
  const anydesk = test.os.start({ name: 'anydesk' });
  test.clock.now = new Date(test.clock.now.getTime() - day);
  await until('what is left on the disk', async () =>
    (await test.store.timedAllowances()).some(({ span }) => span.seen_up >= test.clock.up),
  );
  await server.down();
  await test.close();
  // The clock goes on from where it was set to: nothing shows in it.
  const clock = { now: new Date(test.clock.now.getTime() + 60_000), up: 60_000, boot: 'second' };
  const again = await agentForTest(server, { os: test.os, folder: test.folder, clock });
  passes(again, 28 * 60_000);
  expect(again.os.running.has(anydesk)).toBe(true);
  passes(again, 60_000);
  await ended(again, anydesk);
});

it('A10: a clock set back beforehand makes an allowance no longer', async () => {
  const { test } = await allowed(-7 * day);
  const anydesk = test.os.start({ name: 'anydesk' });
  passes(test, hour - 1);
  expect(test.os.running.has(anydesk)).toBe(true);
  passes(test, 1);
  await ended(test, anydesk);
});
