import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk, serverForTest, type TestAgent } from '../testing/agent.ts';
import { browserOf, connect } from '../testing/browser.ts';
import { sitesWithoutSystem } from '../testing/dns-command.ts';
import { fakeSystem } from '../testing/fake-os.ts';
import { proxyForTest } from '../testing/proxy.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const inFull = { title: 'This computer is protected', lit: true };
const inPart = { title: 'This computer is partly protected', lit: true };
const notYet = { title: 'This computer is not protected yet', lit: false };
async function firstPage(test: TestAgent) {
  const page = await (await browserOf(test)).page();
  return { title: /<h1>(.*?)<\/h1>/.exec(page)?.[1], lit: page.includes('fill="var(--lamp)"') };
}

async function halfSilent(...silentCalls: string[]) {
  const server = await serverForTest();
  const between = await proxyForTest(server);
  between.override = ({ key }) => (silentCalls.includes(key) ? 'never' : null);
  return { server, between };
}

describe('a device without a policy', () => {
  it('[1.2] a device without a policy has the free plan, also after a restart, and reports the programs it stopped', async () => {
    const { server, between } = await halfSilent('GET /agent/policy');
    const firstAgent = await agentForTest(server, { sites: sitesWithoutSystem, server: between.url, freeAgent: true });
    await until('the definitions', () => firstAgent.store.definitions());
    expect(await connect(firstAgent, 'ABCD-EFGH')).toContain('Connected.');
    await firstAgent.close();
    server.protecting.length = 0;
    const test = await agentForTest(server, { sites: sitesWithoutSystem, server: between.url, folder: firstAgent.folder });
    expect(await firstPage(test)).toEqual(inPart);
    expect(await (await browserOf(test)).page()).toContain('The rest starts as soon as we can reach our server.');
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the report', () => server.sent.length === 1);
    expect(server.sent[0]).toMatchObject({ identifier: 'anydesk', blocked: true });
    await until('a check-in', () => server.protecting.length > 0);
    expect(new Set(server.protecting)).toEqual(new Set([true]));
    expect(test.agent.ready()).toBe(true);
    await test.close();
    between.override = () => null;
    const restartedAgent = await agentForTest(server, { sites: sitesWithoutSystem, server: between.url, folder: firstAgent.folder });
    await until('the policy', async () => (await firstPage(restartedAgent)).title === inFull.title);
  });

  it('[1.2] a device moved to another account has the free plan until its policy arrives', async () => {
    const server = await serverForTest();
    const proxy = await proxyForTest(server);
    const test = await agentForTest(server, { sites: sitesWithoutSystem, server: proxy.url });
    await test.linked();
    server.setPolicy({ actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' } });
    const browser = await browserOf(test);
    await until('the policy', async () => (await browser.page('settings')).includes('Remote-control programs: allowed, with an alert'));
    const running = test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    expect(test.os.running).toContain(running);
    proxy.override = ({ key }) => (key === 'GET /agent/policy' ? 'never' : null);
    expect(await connect(test, 'BCDE-FGHJ', { pin: testPin })).toContain('Connected.');
    await ended(test, running);
    await until('the report', () => server.sent.length === 2);
    expect(server.sent[1]).toMatchObject({ identifier: 'anydesk', blocked: true });
    test.clock.now = new Date(test.clock.now.getTime() + 25 * 3_600_000);
    expect(await firstPage(test)).toEqual(inPart);
  });

  it('[1.2] a device with both policy copies damaged has the free plan while offline', async () => {
    const { server, test } = await linked(fakeSystem(), { sites: sitesWithoutSystem });
    await test.close();
    await server.down();
    for (const name of ['policy.json', 'policy.json.copy']) await writeFile(join(test.folder, name), 'damaged');
    const restartedAgent = await agentForTest(server, { sites: sitesWithoutSystem, folder: test.folder });
    expect(await firstPage(restartedAgent)).toEqual(inPart);
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
    await until('the detection on the disk', async () => (await onDisk(restartedAgent)).length === 1);
    await server.listen();
    await until('the report', () => server.sent.length === 1);
  });
});

describe('a computer without definitions', () => {
  it('a device without definitions is unprotected, and neither window nor check-in claims otherwise', async () => {
    const { server, between } = await halfSilent('GET /agent/definitions');
    const test = await agentForTest(server, { sites: sitesWithoutSystem, server: between.url });
    await test.agent.link.byCode('ABCD-EFGH');
    await until('the policy', () => test.store.policy());
    expect(await firstPage(test)).toEqual(notYet);
    expect(await (await browserOf(test)).page('settings')).toContain('Nothing yet');
    await until('a check-in', () => server.protecting.length > 0);
    expect(new Set(server.protecting)).toEqual(new Set([false]));
    await test.close();
    between.override = () => null;
    const restartedAgent = await agentForTest(server, { sites: sitesWithoutSystem, server: between.url, folder: test.folder });
    await until('protection', async () => (await firstPage(restartedAgent)).title === inFull.title);
    await until('a check-in that says so', () => server.protecting.at(-1) === true);
  });

  it('a free computer without definitions is unprotected, and its window says so', async () => {
    const { server, between } = await halfSilent('GET /agent/free-plan');
    const test = await agentForTest(server, { sites: sitesWithoutSystem, server: between.url, freeAgent: true });
    expect(await firstPage(test)).toEqual(notYet);
    expect(await (await browserOf(test)).page()).not.toContain('We block remote-control programs');
  });
});
