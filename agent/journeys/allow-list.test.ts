import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, serverForTest, type TestAgent } from '../testing/agent.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const hour = 3_600_000;

async function allow({ server, test }: { server: TestServer; test: TestAgent }, identifier: string, end: Date | null): Promise<void> {
  const polls = () => server.calls.filter((call) => call === 'GET /agent/policy').length;
  const pollsBefore = polls();
  const entry = { type: 'definition' as const, identifier, until: end?.toISOString() ?? null };
  // The length of an entry is computed from the server's times.
  server.setPolicy({ allow: [...server.policy.allow, entry], issued: test.clock.now.toISOString() });
  await until('the next poll', () => polls() > pollsBefore);
}

/** Waits until the clock was read so often that the agent must have noticed a change. */
async function clockWasRead(test: TestAgent): Promise<void> {
  let readCount = 0;
  const { now } = test.clock;
  Object.defineProperty(test.clock, 'now', { configurable: true, get: () => (readCount++, now), set: () => {} });
  await until('the agent to look at the clock', () => readCount >= 2);
  Object.defineProperty(test.clock, 'now', { configurable: true, writable: true, value: now });
}

const turnTo = (test: TestAgent, clockTime: number) => {
  test.clock.now = new Date(clockTime);
};

describe('an allow-list entry that ends', () => {
  it('a running program is ended at the millisecond its allow-list entry expires, also without the server', async () => {
    const { server, test } = await linked();
    const end = test.clock.now.getTime() + hour;
    await allow({ server, test }, 'anydesk', new Date(end));
    const process = test.os.start({ name: 'anydesk' });
    await server.down();
    turnTo(test, end - 1);
    await clockWasRead(test);
    expect(test.os.running).toContain(process);
    turnTo(test, end);
    await ended(test, process);
    await until('it to be said', () => test.logLines.includes('Stopped AnyDesk.'));
  });

  it('a running program is ended when its allow-list entry expires by the real clock', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { now: () => new Date() });
    await test.linked();
    const end = Date.now() + 2500;
    await allow({ server, test }, 'anydesk', new Date(end));
    let when = 0;
    const { endTree } = test.os;
    test.os.endTree = (target) => {
      when ||= Date.now();
      return endTree(target);
    };
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(when).toBeGreaterThanOrEqual(end);
    expect(when - end).toBeLessThan(900);
  });

  it('when an allow-list entry expires, other allowed programs are not reported, and no detection is reported twice', async () => {
    const { server, test } = await linked();
    const start = test.clock.now.getTime();
    await allow({ server, test }, 'anydesk', new Date(start + hour));
    await allow({ server, test }, 'teamviewer', new Date(start + 2 * hour));
    await allow({ server, test }, 'rustdesk', null);
    const [anydesk, teamviewer, rustdesk] = ['anydesk', 'teamviewer', 'rustdesk'].map((name) => test.os.start({ name }));
    if (!anydesk || !teamviewer || !rustdesk) throw new Error('unreachable');
    turnTo(test, start + hour);
    await ended(test, anydesk);
    expect([...test.os.running]).toEqual([teamviewer, rustdesk]);
    turnTo(test, start + 2 * hour);
    await ended(test, teamviewer);
    await until('both reports', () => server.sent.length === 2);
    turnTo(test, start + 1000 * hour);
    await clockWasRead(test);
    expect([...test.os.running]).toEqual([rustdesk]);
    expect(server.sent.map(({ identifier }) => identifier)).toEqual(['anydesk', 'teamviewer']);
  });

  it('an allow-list entry that expired while the agent was off is not in force after the restart', async () => {
    const { server, test } = await linked();
    const end = test.clock.now.getTime() + hour;
    await allow({ server, test }, 'anydesk', new Date(end));
    await test.close();
    await server.down();
    const restartedAgent = await agentForTest(server, { folder: test.folder, now: () => new Date(end) });
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
  });
});
