import { randomUUID } from 'node:crypto';
import { minute } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { agentForTest, ended, incidentIsOver, linked, type TestAgent } from '../testing/agent.ts';
import { type Browser, browserOf } from '../testing/browser.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const pause = (browser: Browser, minutes: string) => browser.press('pause', { minutes, pin: testPin, understood: 'yes' });
const runs = (test: TestAgent, { pid }: { pid: number }) => [...test.os.running].some((process) => process.pid === pid);

async function atTheComputer(): Promise<{ server: TestServer; test: TestAgent; browser: Browser }> {
  const { server, test } = await linked();
  return { server, test, browser: await browserOf(test) };
}
async function restarted(server: TestServer, test: TestAgent, offMs: number): Promise<TestAgent> {
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + offMs), up: 30_000, boot: `after ${test.clock.boot}` };
  return agentForTest(server, { os: test.os, folder: test.folder, clock });
}

describe('a pause that the holder ends remotely', () => {
  const resume = (server: TestServer) => server.setPolicy({ resume: randomUUID() });

  it('a pause ended remotely by the holder is over at once and reported, and the user can begin another pause', async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser, '60');
    const program = test.os.start({ name: 'anydesk' });
    await until('the event', () => server.events.length === 1);
    expect(runs(test, program)).toBe(true);
    resume(server);
    await ended(test, program);
    await until('both', () => server.events.length === 2);
    expect(server.events.map(({ reported }) => reported.kind)).toEqual(['paused', 'resumed']);
    expect(test.logLines).toContain('The account owner ended the pause. This computer is protected again.');
    expect(test.logLines).not.toContain('The pause is over. Protection is on again.');
    await incidentIsOver(server, test);
    await pause(browser, '60');
    const secondProgram = test.os.start({ name: 'anydesk' });
    await until('the next pause', () => server.events.length === 3);
    server.setPolicy({ device_name: 'Another name' });
    await until('the policy', async () => (await test.store.policy())?.device_name === 'Another name');
    expect(await browser.page()).toContain('Protection is paused');
    expect(runs(test, secondProgram)).toBe(true);
  });

  it("an offline computer ends a pause when it receives the holder's resume, also after a restart", async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser, '60');
    await until('the event', () => server.events.length === 1);
    await server.down();
    const program = test.os.start({ name: 'anydesk' });
    const restartedAgent = await restarted(server, test, minute);
    expect(runs(restartedAgent, program)).toBe(true);
    resume(server);
    await server.listen();
    await ended(restartedAgent, program);
    await until('both', () => server.events.length === 2);
  });

  it('a remote resume that was not stored before the agent died is applied and reported after the restart', async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser, '60');
    await until('the event', () => server.events.length === 1);
    const storedPause = await test.store.pause();
    resume(server);
    await until('both', () => server.events.length === 2);
    await test.close();
    await test.store.setPause(storedPause);
    const restartedAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
    await until('that it is told again', () => server.events.length === 3);
    expect(server.events.at(-1)?.reported.kind).toBe('resumed');
  });
});
