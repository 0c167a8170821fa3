import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hour } from '@porchlight/contract/time.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentForTest, ended, linked, serverForTest, type TestAgent, temporaryFolder } from '../testing/agent.ts';
import { browserOf, connect, sayYes } from '../testing/browser.ts';
import { pinHashFor } from '../testing/pin-hash.ts';
import { runAgent } from '../testing/process.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

function advanceTime({ clock }: TestAgent, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
}
async function restarted(server: TestServer, test: TestAgent, clockBy: number): Promise<TestAgent> {
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + clockBy), up: 30_000, boot: `after ${test.clock.boot}` };
  return agentForTest(server, { os: test.os, folder: test.folder, clock });
}
async function removed(): Promise<{ server: TestServer; test: TestAgent }> {
  const { server, test } = await linked();
  server.setMood('removed');
  await until('the end of the link', async () => (await test.store.identity()) === null);
  return { server, test };
}

describe('[P10.9] a device that was removed', () => {
  it('A5: a removed device is uninstalled only with the PIN, also by the user who removed it in the browser, while its agent runs', async () => {
    const server = await serverForTest();
    server.setDefinitions({ definitions: [] });
    const folder = join(await temporaryFolder(), 'data');
    const run = (args: string[], input = '') => {
      const started = runAgent(server, folder, args, input);
      onTestFinished(() => void started.child.kill('SIGKILL'));
      return started;
    };
    const running = run(['--code', 'ABCD-EFGH']);
    await until('protection', () => running.output().includes('Porchlight protects this computer'), 60_000);
    server.setMood('removed');
    await until('the end of the link', () => running.output().includes('was removed from its account'), 60_000);
    await until('the end on the disk', async () => (await readFile(join(folder, 'identity.json')).catch(() => null)) === null);
    const command = async (args: string[], input: string) => [await run(args, input).ended];
    expect([await command(['--uninstall'], ''), await command(['--verify-pin'], '000000\n')]).toEqual([[3], [3]]);
    await server.down();
    expect(await command(['--verify-pin'], `${testPin}\n`)).toEqual([0]);
  }, 240_000);

  it('a removed device needs the PIN for 24 hours to be linked again and to restore files, also after restarts and clock changes', async () => {
    const { server, test } = await removed();
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('For 24 hours more, you need that account’s Admin PIN');
    expect((await browser.press('found', { entry: 'x' })).text).toContain('That is not the PIN.');
    await expect(test.agent.link.byCode('BCDE-FGHJ')).rejects.toMatchObject({ code: 'pin_needed' });
    expect(await browser.page()).toContain('To say yes you also need the Admin PIN of the account it was removed from.');
    expect(await browser.page()).toContain('name="pin"');
    expect((await sayYes(test, browser)).text).toContain('removed from its account less than a day ago');
    await expect(test.agent.mayLeave('000000')).rejects.toThrow('That is not the PIN');

    await server.down();
    const restartedAgent = await restarted(server, test, 30 * 24 * hour);
    await expect(restartedAgent.agent.mayLeave(undefined)).rejects.toThrow('still asks');
    restartedAgent.clock.now = new Date(restartedAgent.clock.now.getTime() + 365 * 24 * hour);
    advanceTime(restartedAgent, 23 * hour);
    await server.listen();
    server.setMood('well');
    expect(await connect(restartedAgent, 'BCDE-FGHJ', { pin: '000000' })).toContain('That is not the PIN');
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    await connect(restartedAgent, 'BCDE-FGHJ', { pin: testPin });
    expect((await restartedAgent.status()).body).toMatchObject({ l: true });
  });

  it('a device that was removed in its first hour, before it had the hash, needs the PIN too: the server checks it, and without one it waits', async () => {
    const { server, test } = await linked();
    server.setPolicy({ pin: null });
    await until('the policy', () => server.policy_in_force === 2);
    server.setMood('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    await expect(test.agent.mayLeave(undefined)).rejects.toThrow('still asks');
    await expect(test.agent.mayLeave('000000')).rejects.toThrow('That is not the PIN');
    const restartedAgent = await restarted(server, test, 0);
    await server.down();
    await expect(restartedAgent.agent.mayLeave(testPin)).rejects.toThrow('our server has to check the PIN');
    await server.listen();
    await restartedAgent.agent.mayLeave(testPin);
    await server.down();
    advanceTime(restartedAgent, 23 * hour);
    await expect(restartedAgent.agent.mayLeave(testPin)).rejects.toThrow('our server has to check the PIN');
    advanceTime(restartedAgent, hour);
    await restartedAgent.agent.mayLeave(undefined);
  });

  it('a removed device needs no PIN after 24 hours, like a computer that was never linked', async () => {
    const { server, test } = await removed();
    advanceTime(test, 24 * hour);
    const browser = await browserOf(test);
    expect(await browser.page()).not.toContain('Admin PIN');
    await test.agent.mayLeave(undefined);
    await expect(test.agent.link.byCode('BCDE-FGHJ')).rejects.toMatchObject({ code: 'asked' });
    expect((await sayYes(test, browser)).status).toBe(200);
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
    const free = await agentForTest(server, { freeAgent: true });
    await free.agent.mayLeave(undefined);
  });

  it("a removed device needs no PIN after a later link is undone, and needs the new account's PIN after that account removes it", async () => {
    const { server, test } = await removed();
    server.setMood('well');
    const browser = await browserOf(test);
    await connect(test, 'BCDE-FGHJ', { pin: testPin });
    expect((await browser.press('undo')).text).toContain('Undone.');
    await test.agent.mayLeave(undefined);
    expect([await browser.page(), await test.store.formerPin()]).toEqual([expect.not.stringContaining('Admin PIN'), null]);
    server.setPolicy({ pin: pinHashFor('302918') });
    await connect(test, 'CDEF-GHJK');
    await until('the policy', async () => (await test.store.policy())?.device === server.device);
    server.setMood('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    await expect(test.agent.mayLeave(testPin)).rejects.toThrow('That is not the PIN');
    await test.agent.mayLeave('302918');
  });
});

describe('[P10.9] a device that the server does not know', () => {
  it('an unknown device keeps its policy for 24 hours through restarts and clock changes, then has the free plan', async () => {
    const { server, test } = await linked();
    server.setPolicy({ actions: { RemoteControl: 'alert', DeceptiveUtility: 'block', ScamWebsite: 'block' } });
    await until('the policy', () => server.policy_in_force === 2);
    server.setMood('revoked');
    await until('it to be said', () => test.logLines.some((sentence) => sentence.includes('does not recognize this device right now')));
    advanceTime(test, 23 * hour);
    await until('the rest of it on the disk', async () => ((await test.store.unknownSince())?.span.seen_up ?? 0) > 23 * hour);
    const restartedAgent = await restarted(server, test, -30 * 24 * hour);
    const anydesk = restartedAgent.os.start({ name: 'anydesk' });
    const calls = server.calls.length;
    await until('it to ask again', () => server.calls.length > calls + 5);
    expect([await restartedAgent.store.identity(), restartedAgent.os.running.has(anydesk)]).toEqual([expect.anything(), true]);
    advanceTime(restartedAgent, hour);
    await ended(restartedAgent, anydesk);
    await until('the end of the link', async () => (await restartedAgent.store.identity()) === null);
    expect(restartedAgent.logLines.join()).toContain('does not recognize this device anymore');
    expect((await restartedAgent.status()).body).toEqual({ g: true, l: false, v: '1.2.3' });
    await restartedAgent.agent.mayLeave(undefined);
  });
});
