import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { describe, expect, it } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { agentForTest, ended, linked, onDisk, serverForTest, type TestAgent } from '../testing/agent.ts';
import { browserOf, connect, sayYes } from '../testing/browser.ts';
import { ask, queryFor, unusedPort, upstreamForTest } from '../testing/dns.ts';
import { commandWithoutSystem } from '../testing/dns-command.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const guest = { g: true, l: false, v: '1.2.3' };
const device = { g: false, l: true, v: '1.2.3' };
const reimage = { name: 'Reimage.exe', program: { os: 'windows', name: 'Reimage.exe' } } as const;
const inForce = (test: TestAgent) => until('the definitions', () => test.logLines.some((line) => line.includes('with the free plan')));

async function freeAgent(overrides: Parameters<typeof agentForTest>[1] = {}) {
  const server = await serverForTest();
  const test = await agentForTest(server, { freeAgent: true, ...overrides });
  await inForce(test);
  return { server, test };
}

describe('[6.8] [3.18] guest mode', () => {
  it('[1.2] the free plan ends remote-control programs and no others, reports nothing, and the loopback status shows the free plan', async () => {
    const { server, test } = await freeAgent();
    expect((await test.status()).body).toEqual(guest);
    const deceptive = test.os.start(reimage);
    const benign = test.os.start({ name: 'firefox' });
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the window', () => test.os.opened.length === 1);
    expect(test.os.running).toEqual(new Set([deceptive, benign]));
    expect(await onDisk(test)).toEqual([]);
    expect(new Set(server.calls)).toEqual(new Set(['GET /agent/server', 'GET /agent/free-plan']));
  });

  it('[1.2] the free plan ends remote-control programs that already run at its start', async () => {
    const os = fakeOs();
    const runningProgram = os.start({ name: 'anydesk' });
    const { test } = await freeAgent({ os });
    await ended(test, runningProgram);
  });

  it('[P12.1] the free plan blocks scam websites and those of remote-control programs, and leaves other names to the network', async () => {
    const [network, own] = [await upstreamForTest(), { address: '127.0.0.1', port: await unusedPort() }];
    await freeAgent({ sites: { command: commandWithoutSystem, own, page: null, system: false, upstream: [network.socketAddress] } });
    const addresses = async (name: string) => (await ask(own, queryFor(name), 200).catch(() => null))?.addresses;
    await until('the block of a scam website', async () => (await addresses('paypal-secure-login.com'))?.[0] === '0.0.0.0');
    expect(await addresses('go.anydesk.com')).toEqual(['0.0.0.0']);
    const others = [await addresses('www.paypal.com'), await addresses('knitting.example')];
    expect(others.flat()).not.toContain('0.0.0.0');
    expect(network.asked).toEqual(expect.arrayContaining(['www.paypal.com', 'knitting.example']));
  });

  it("the free plan's window names the stopped program and no guardian", async () => {
    const { test } = await freeAgent();
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the window', () => test.os.opened[0]);
    const { page } = await browserOf(test);
    expect(await page()).toContain('We closed it right away.');
    expect(await page()).not.toMatch(/We(’ll write to .+ as soon| wrote)/);
    test.clock.now = new Date(test.clock.now.getTime() + 25 * 3_600_000);
    expect(await page()).toContain('This computer has the free plan');
  });

  it('the free plan stays in force after a restart without the server and without its option', async () => {
    const { server, test } = await freeAgent();
    await test.close();
    await server.down();
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    expect(restartedAgent.logLines.join()).toContain('with the free plan');
    expect((await restartedAgent.status()).body).toEqual(guest);
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
  });

  it('the free plan refuses definitions that were changed on the disk', async () => {
    const { server, test } = await freeAgent();
    await test.close();
    await server.down();
    await writeFile(join(test.folder, 'definitions', 'feed.json'), '{"keys":[],"set":{"payload":"{}","signature":"x","key_id":"x"}}');
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    expect(restartedAgent.logLines.join()).toContain('starts as soon as the server can be reached');
    await server.listen();
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
  });

  it('the free plan starts as soon as the server answers', async () => {
    const server = await serverForTest();
    await server.down();
    const test = await agentForTest(server, { freeAgent: true });
    const process = test.os.start({ name: 'anydesk' });
    expect((await test.status()).status).toBe(403);
    await server.listen();
    await ended(test, process);
    await until('our dashboard to be let in', async () => (await test.status()).status === 200);
    expect((await test.status()).body).toEqual(guest);
  });

  it('the free plan is off unless requested', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server);
    expect((await test.status()).body).toEqual({ g: false, l: false, v: '1.2.3' });
    expect(server.calls).not.toContain('GET /agent/free-plan');
  });
});

describe('[6.8] [3.18] a computer with the free plan that receives a link or a code', () => {
  it('a linked computer is a device with its policy, also after a restart with the option of the free plan', async () => {
    const { server, test } = await freeAgent();
    await expect(test.agent.link.byLink(server.link())).rejects.toMatchObject({ code: 'asked' });
    await sayYes(test, await browserOf(test));
    expect((await test.status()).body).toEqual(device);
    const deceptive = test.os.start(reimage);
    await ended(test, deceptive);
    await until('the report', () => server.sent.length === 1);
    expect(server.sent[0]).toMatchObject({ category: 'DeceptiveUtility', blocked: true });
    await test.close();
    const restartedAgent = await agentForTest(server, { folder: test.folder, freeAgent: true });
    expect((await restartedAgent.status()).body).toEqual(device);
    expect(server.calls.filter((call) => call === 'GET /agent/free-plan')).toHaveLength(1);
  });

  it('a linked computer no longer fetches definitions of the free plan, also when it had received none', async () => {
    const server = await serverForTest();
    // An invalid signature, so that the agent keeps fetching.
    server.setDefinitions({}, newKeyPair());
    const test = await agentForTest(server, { freeAgent: true });
    const calls = (key: string) => server.calls.filter((call) => call === key).length;
    await until('another try', () => calls('GET /agent/free-plan') > 1);
    await connect(test, 'ABCD-EFGH');
    const callsBefore = calls('GET /agent/free-plan');
    for (let round = 0; round < 10; round++) {
      const polled = calls('GET /agent/policy');
      server.setPolicy({});
      await until('another poll of the device', () => calls('GET /agent/policy') > polled);
    }
    expect(calls('GET /agent/free-plan')).toBe(callsBefore);
  });

  it('a linked computer keeps the free plan until its policy arrives', async () => {
    const { server, test } = await freeAgent();
    server.setPolicy({}, newKeyPair());
    await connect(test, 'ABCD-EFGH');
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await test.store.policy()).toBeNull();
    expect((await test.status()).body).toEqual(device);
  });

  it('detections made under the free plan are never sent after linking, even if the program ends later', async () => {
    const { server, test } = await freeAgent();
    await ended(test, test.os.start({ name: 'anydesk' }));
    const end = test.os.endTree;
    let go = () => {};
    test.os.endTree = async (process) => {
      await new Promise<void>((resolve) => (go = resolve));
      return end(process);
    };
    const slowProgram = test.os.start({ name: 'teamviewer' });
    await connect(test, 'ABCD-EFGH');
    await until('policy', () => test.store.policy());
    test.os.endTree = end;
    go();
    await ended(test, slowProgram);
    await ended(test, test.os.start({ name: 'rustdesk' }));
    await until('the report of what it found as a device', () => server.sent.length > 0);
    await until('the disk to be empty', async () => (await onDisk(test)).length === 0);
    expect(server.sent.map(({ identifier }) => identifier)).toEqual(['rustdesk']);
  });
});

describe('[P3.6] [6.8] a device that was removed', () => {
  it('a removed device has the free plan, ends programs that its policy allowed, and can be linked again', async () => {
    const { server, test } = await linked();
    server.setPolicy({ actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' } });
    await until('the policy', async () => (await test.store.policy())?.version === 2);
    const polls = () => server.polls();
    const pollsBefore = polls();
    await until('the next poll', () => polls() > pollsBefore);
    const anydesk = test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    expect(test.os.running).toContain(anydesk);
    server.setMood('removed');
    await ended(test, anydesk);
    expect((await test.status()).body).toEqual(guest);
    expect(test.logLines.join()).toContain('was removed from its account');
    await until('the free plan to be asked for', () => server.calls.includes('GET /agent/free-plan'));
    await connect(test, 'BCDE-FGHJ', { pin: testPin });
    expect((await test.status()).body).toEqual(device);
    expect(server.sent).toHaveLength(1);
  });

  it('a removed device gets the newest definitions, also after a restart', async () => {
    const { server, test } = await linked();
    server.setMood('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    await test.close();
    server.setMood('well');
    server.setDefinitions({});
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    expect((await restartedAgent.status()).body).toEqual(guest);
    expect(restartedAgent.logLines.join()).toContain('was removed from its account');
    await until('the newer ones', async () => (await restartedAgent.store.definitions())?.version === 2);
  });

  it('unsent detections for the former account are not sent to the new one', async () => {
    const { server, test } = await linked();
    await server.down();
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the detection on the disk', async () => (await onDisk(test)).length === 1);
    await test.close();
    server.setMood('removed');
    await server.listen();
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    await until('the end of the link', async () => (await restartedAgent.store.identity()) === null);
    await connect(restartedAgent, 'BCDE-FGHJ', { pin: testPin });
    await ended(restartedAgent, restartedAgent.os.start({ name: 'rustdesk' }));
    await until('the report', () => server.sent.length > 0);
    await until('the disk to be empty', async () => (await onDisk(restartedAgent)).length === 0);
    expect(server.sent.map(({ identifier }) => identifier)).toEqual(['rustdesk']);
  });
});
