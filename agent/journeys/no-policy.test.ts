import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk, serverForTest, type TestAgent } from '../testing/agent.ts';
import { standBetween } from '../testing/between.ts';
import { browserOf, connect } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const inFull = { title: 'This computer is protected', lit: true };
const inPart = { title: 'This computer is partly protected', lit: true };
const notYet = { title: 'This computer is not protected yet', lit: false };
/** What is seen first on the page. */
async function seen(test: TestAgent) {
  const page = await (await browserOf(test)).page();
  return { title: /<h1>(.*?)<\/h1>/.exec(page)?.[1], lit: page.includes('fill="var(--lamp)"') };
}

/** A server from which some calls have no answer. */
async function halfSilent(...silent: string[]) {
  const server = await serverForTest();
  const between = await standBetween(server);
  between.instead = ({ key }) => (silent.includes(key) ? 'never' : null);
  return { server, between };
}

describe('a device whose policy is not there', () => {
  it('[1.2] a device without a policy has the free plan, also after a restart, and reports what it stopped', async () => {
    const { server, between } = await halfSilent('GET /agent/policy');
    const first = await agentForTest(server, { server: between.url, free: true });
    await until('the definitions', () => first.store.definitions());
    expect(await connect(first, 'ABCD-EFGH')).toContain('Connected.');
    await first.close();
    server.protecting.length = 0;
    const test = await agentForTest(server, { server: between.url, folder: first.folder });
    expect(await seen(test)).toEqual(inPart);
    expect(await (await browserOf(test)).page()).toContain('The rest starts as soon as we can reach our server.');
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the report', () => server.sent.length === 1);
    expect(server.sent[0]).toMatchObject({ identifier: 'anydesk', blocked: true });
    await until('a check-in', () => server.protecting.length > 0);
    expect(new Set(server.protecting)).toEqual(new Set([true]));
    expect(test.agent.ready()).toBe(true);
    await test.close();
    between.instead = () => null;
    const again = await agentForTest(server, { server: between.url, folder: first.folder });
    await until('the policy', async () => (await seen(again)).title === inFull.title);
  });

  it('[1.2] a device moved to another account has the free plan until its policy arrives', async () => {
    const server = await serverForTest();
    const between = await standBetween(server);
    const test = await agentForTest(server, { server: between.url });
    await test.linked();
    server.setPolicy({ actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' } });
    const browser = await browserOf(test);
    await until('the policy', async () => (await browser.page('settings')).includes('Remote-control programs: allowed, with an alert'));
    const running = test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    expect(test.os.running).toContain(running);
    between.instead = ({ key }) => (key === 'GET /agent/policy' ? 'never' : null);
    expect(await connect(test, 'BCDE-FGHJ', { pin: testPin })).toContain('Connected.');
    await ended(test, running);
    await until('the report', () => server.sent.length === 2);
    expect(server.sent[1]).toMatchObject({ identifier: 'anydesk', blocked: true });
    test.clock.now = new Date(test.clock.now.getTime() + 25 * 3_600_000);
    expect(await seen(test)).toEqual(inPart);
  });

  it('[1.2] a device with both policy copies damaged has the free plan while offline', async () => {
    const { server, test } = await linked();
    await test.close();
    await server.down();
    for (const name of ['policy.json', 'policy.json.copy']) await writeFile(join(test.folder, name), 'damaged');
    const again = await agentForTest(server, { folder: test.folder });
    expect(await seen(again)).toEqual(inPart);
    await ended(again, again.os.start({ name: 'anydesk' }));
    await until('the detection on the disk', async () => (await onDisk(again)).length === 1);
    await server.listen();
    await until('the report', () => server.sent.length === 1);
  });
});

describe('without definitions', () => {
  it('a device without definitions is unprotected, and neither window nor check-in claims otherwise', async () => {
    const { server, between } = await halfSilent('GET /agent/definitions');
    const test = await agentForTest(server, { server: between.url });
    await test.agent.link.byCode('ABCD-EFGH');
    await until('the policy', () => test.store.policy());
    expect(await seen(test)).toEqual(notYet);
    expect(await (await browserOf(test)).page('settings')).toContain('Nothing yet');
    await until('a check-in', () => server.protecting.length > 0);
    expect(new Set(server.protecting)).toEqual(new Set([false]));
    await test.close();
    between.instead = () => null;
    const again = await agentForTest(server, { server: between.url, folder: test.folder });
    await until('protection', async () => (await seen(again)).title === inFull.title);
    await until('a check-in that says so', () => server.protecting.at(-1) === true);
  });

  it('a free computer without definitions is unprotected, and its window says so', async () => {
    const { server, between } = await halfSilent('GET /agent/free-plan');
    const test = await agentForTest(server, { server: between.url, free: true });
    expect(await seen(test)).toEqual(notYet);
    expect(await (await browserOf(test)).page()).not.toContain('We block remote-control programs');
  });
});
