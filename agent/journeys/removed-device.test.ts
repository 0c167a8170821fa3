import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentForTest, ended, linked, serverForTest, type TestAgent, temporaryFolder } from '../testing/agent.ts';
import { browserOf, connect, sayYes } from '../testing/browser.ts';
import { pinHashFor } from '../testing/pin-hash.ts';
import { runAgent } from '../testing/process.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const hour = 3_600_000;

function passes({ clock }: TestAgent, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
}
/** The computer is switched off, and on again by a clock that somebody has set. */
async function restarted(server: TestServer, test: TestAgent, clockBy: number): Promise<TestAgent> {
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + clockBy), up: 30_000, boot: `after ${test.clock.boot}` };
  return agentForTest(server, { os: test.os, folder: test.folder, clock });
}
async function removed(): Promise<{ server: TestServer; test: TestAgent }> {
  const { server, test } = await linked();
  server.be('removed');
  await until('the end of the link', async () => (await test.store.identity()) === null);
  return { server, test };
}

describe('[P10.9] a device that was removed', () => {
  it('A5: is uninstalled only with the PIN, by whoever removed it in the browser too; the agent that runs meanwhile says so', async () => {
    const server = await serverForTest();
    server.setDefinitions({ definitions: [] });
    const folder = join(await temporaryFolder(), 'data');
    const run = (args: string[], input = '') => {
      const started = runAgent(server, folder, args, input);
      onTestFinished(() => void started.child.kill('SIGKILL'));
      return started;
    };
    const running = run(['--code', 'ABCD-EFGH']);
    await until('protection', () => running.said().includes('Porchlight protects this computer'), 60_000);
    server.be('removed');
    await until('the end of the link', () => running.said().includes('was removed from its account'), 60_000);
    await until('the end on the disk', async () => (await readFile(join(folder, 'identity.json')).catch(() => null)) === null);
    const command = async (args: string[], input: string) => [await run(args, input).over];
    expect([await command(['--uninstall'], ''), await command(['--verify-pin'], '000000\n')]).toEqual([[3], [3]]);
    await server.down();
    expect(await command(['--verify-pin'], `${testPin}\n`)).toEqual([0]);
  }, 240_000);

  it('asks for the PIN to be connected elsewhere and to put back, through a restart and whatever the clock says, for 24 hours', async () => {
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
    const again = await restarted(server, test, 30 * 24 * hour);
    await expect(again.agent.mayLeave(undefined)).rejects.toThrow('still asks');
    again.clock.now = new Date(again.clock.now.getTime() + 365 * 24 * hour);
    passes(again, 23 * hour);
    await server.listen();
    server.be('well');
    expect(await connect(again, 'BCDE-FGHJ', { pin: '000000' })).toContain('That is not the PIN');
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    await connect(again, 'BCDE-FGHJ', { pin: testPin });
    expect((await again.status()).body).toMatchObject({ l: true });
  });

  it('asks for it no more after 24 hours; and a computer that never was a device never does', async () => {
    const { server, test } = await removed();
    passes(test, 24 * hour);
    const browser = await browserOf(test);
    expect(await browser.page()).not.toContain('Admin PIN');
    await test.agent.mayLeave(undefined);
    await expect(test.agent.link.byCode('BCDE-FGHJ')).rejects.toMatchObject({ code: 'asked' });
    expect((await sayYes(test, browser)).status).toBe(200);
    expect(server.enrolled).toEqual(['ABCD-EFGH', 'BCDE-FGHJ']);
    const free = await agentForTest(server, { free: true });
    await free.agent.mayLeave(undefined);
  });

  it('that was connected elsewhere with it asks for it no more once that is undone; one that its new account removes asks for the PIN of that one', async () => {
    const { server, test } = await removed();
    server.be('well');
    const browser = await browserOf(test);
    await connect(test, 'BCDE-FGHJ', { pin: testPin });
    expect((await browser.press('undo')).text).toContain('Undone.');
    await test.agent.mayLeave(undefined);
    expect([await browser.page(), await test.store.formerPin()]).toEqual([expect.not.stringContaining('Admin PIN'), null]);
    server.setPolicy({ pin: pinHashFor('302918') });
    await connect(test, 'CDEF-GHJK');
    await until('the policy', async () => (await test.store.policy())?.device === server.device);
    server.be('removed');
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
    server.be('revoked');
    await until('it to be said', () => test.said.some((sentence) => sentence.includes('does not recognize this device right now')));
    passes(test, 23 * hour);
    // What is left is written down every minute that the agent runs.
    await until('the rest of it on the disk', async () => ((await test.store.unknownSince())?.span.seen_up ?? 0) > 23 * hour);
    const again = await restarted(server, test, -30 * 24 * hour);
    const anydesk = again.os.start({ name: 'anydesk' });
    const calls = server.calls.length;
    await until('it to ask again', () => server.calls.length > calls + 5);
    expect([await again.store.identity(), again.os.running.has(anydesk)]).toEqual([expect.anything(), true]);
    passes(again, hour);
    await ended(again, anydesk);
    await until('the end of the link', async () => (await again.store.identity()) === null);
    expect(again.said.join()).toContain('does not recognize this device anymore');
    expect((await again.status()).body).toEqual({ g: true, l: false, v: '1.2.3' });
    await again.agent.mayLeave(undefined);
  });
});
