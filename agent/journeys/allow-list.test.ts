import { hour } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk, serverForTest, type TestAgent } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

interface Linked {
  server: TestServer;
  test: TestAgent;
}

async function allow({ server, test }: Linked, identifier: string, end: Date | null, reportedUntil: Date | null = null): Promise<void> {
  const polls = () => server.polls();
  const pollsBefore = polls();
  const reported_until = reportedUntil?.toISOString() ?? null;
  const entry = { type: 'definition' as const, identifier, until: end?.toISOString() ?? null, reported_until };
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

/** An hour of reporting for AnyDesk; TeamViewer is allowed, and its starts are not reported. */
async function linkedAndReported(): Promise<Linked & { end: number }> {
  const pair = await linked();
  const end = pair.test.clock.now.getTime() + hour;
  await allow(pair, 'anydesk', null, new Date(end));
  await allow(pair, 'teamviewer', null);
  return { ...pair, end };
}

/** What the agent has reported until it reports a program that is not allowed. */
async function reportedUntilNow({ server, test }: Linked): Promise<string[]> {
  const reportsBefore = server.sent.filter(({ identifier }) => identifier === 'rustdesk').length;
  await ended(test, test.os.start({ name: 'rustdesk' }));
  await until('its report', () => server.sent.filter(({ identifier }) => identifier === 'rustdesk').length > reportsBefore);
  await until('the disk to be empty', async () => (await onDisk(test)).length === 0);
  return server.sent.map(({ identifier }) => identifier).filter((identifier) => identifier !== 'rustdesk');
}

describe('a program that was just allowed', () => {
  it('[P9.1] each start of a program that was just allowed is reported once, and the program keeps running', async () => {
    const { server, test } = await linkedAndReported();
    const first = test.os.start({ name: 'anydesk' });
    const other = test.os.start({ name: 'teamviewer' });
    await until('the report', () => server.sent.length === 1);
    expect(server.sent[0]).toMatchObject({ identifier: 'anydesk', blocked: false, category: 'RemoteControl', start: 'person' });
    // After each change of the policy all running programs are inspected again.
    await allow({ server, test }, 'ultraviewer', null);
    expect(await reportedUntilNow({ server, test })).toEqual(['anydesk']);
    const second = test.os.start({ name: 'anydesk' });
    expect(await reportedUntilNow({ server, test })).toEqual(['anydesk', 'anydesk']);
    expect([...test.os.running]).toEqual([first, other, second]);
  });

  it('[P9.1] a start is no longer reported when the time for that is over, also without the server', async () => {
    const { server, test } = await linkedAndReported();
    await server.down();
    test.clock.up += hour - 1000;
    const first = test.os.start({ name: 'anydesk' });
    await until('the report on the disk', async () => (await onDisk(test)).length === 1);
    test.clock.up += 1000;
    const second = test.os.start({ name: 'anydesk' });
    await server.listen();
    expect(await reportedUntilNow({ server, test })).toEqual(['anydesk']);
    expect([...test.os.running]).toEqual([first, second]);
  });

  it('[P9.1] a clock that is set forward does not end the reporting of starts', async () => {
    const { server, test, end } = await linkedAndReported();
    turnTo(test, end + 1000 * hour);
    test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    turnTo(test, end - 1000 * hour);
    test.clock.up += hour;
    test.os.start({ name: 'anydesk' });
    expect(await reportedUntilNow({ server, test })).toEqual(['anydesk']);
  });

  it('[P9.1] a restart of the agent does not end the reporting of starts', async () => {
    const { server, test, end } = await linkedAndReported();
    await server.down();
    await test.close();
    const clock = { now: new Date(end + hour), up: 20_000, boot: 'second' };
    const restartedAgent = await agentForTest(server, { folder: test.folder, clock });
    restartedAgent.os.start({ name: 'anydesk' });
    restartedAgent.os.start({ name: 'teamviewer' });
    await until('the report on the disk', async () => (await onDisk(restartedAgent)).length === 1);
    expect((await restartedAgent.store.queued()).map(({ identifier }) => identifier)).toEqual(['anydesk']);
  });

  it('[P9.1] a program that ran before it was allowed is reported as the profile requires, and not again when it is allowed', async () => {
    const { server, test } = await linked();
    server.setPolicy({ actions: { ...server.policy.actions, RemoteControl: 'alert' } });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    await allow({ server, test }, 'anydesk', null, new Date(test.clock.now.getTime() + hour));
    server.setPolicy({ actions: { ...server.policy.actions, RemoteControl: 'block' } });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    expect(await reportedUntilNow({ server, test })).toEqual(['anydesk']);
  });

  it('the reported start of an allowed program opens no window, shows no incident, and leaves the PIN alone enough', async () => {
    const { server, test } = await linkedAndReported();
    test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    expect(test.logLines.join('\n')).toContain('AnyDesk was started. It is allowed');
    expect(test.os.opened).toEqual([]);
    const browser = await browserOf(test);
    expect(await browser.page()).not.toContain('AnyDesk');
    expect((await browser.press('pause', { minutes: '5', pin: testPin, understood: 'yes' })).text).toContain('Protection is paused');
  });

  it('an allowed program whose start was reported is announced as stopped when its allow-list entry ends', async () => {
    const { server, test } = await linked();
    const end = test.clock.now.getTime() + hour;
    await allow({ server, test }, 'anydesk', new Date(end), new Date(end));
    const process = test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    turnTo(test, end);
    await ended(test, process);
    await until('the second report', () => server.sent.length === 2);
    expect(server.sent.map(({ blocked }) => blocked)).toEqual([false, true]);
    expect(await (await browserOf(test)).page()).toContain('We stopped');
  });

  it('a deceptive program that was just allowed is not reported', async () => {
    const { server, test } = await linkedAndReported();
    await allow({ server, test }, 'driverpack', null, new Date(test.clock.now.getTime() + hour));
    const program = test.os.start({ name: 'DriverPack.exe', program: { os: 'windows', name: 'DriverPack.exe' } });
    test.os.start({ name: 'anydesk' });
    expect(await reportedUntilNow({ server, test })).toEqual(['anydesk']);
    expect(test.os.running).toContain(program);
    server.setPolicy({ allow: [] });
    await ended(test, program);
  });
});
