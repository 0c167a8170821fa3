import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { describe, expect, it } from 'vitest';
import { leaveCommand } from '../cli/leave.ts';
import { openStore } from '../state/store.ts';
import { agentForTest, ended, linked, serverForTest, type TestAgent, temporaryFolder } from '../testing/agent.ts';
import { type Browser, browserOf, connect, timePasses } from '../testing/browser.ts';
import { carol } from '../testing/enrolments.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const guest = { g: true, l: false, v: '1.2.3' };
const idle = { g: false, l: false, v: '1.2.3' };
const device = { g: false, l: true, v: '1.2.3' };
const ignoreAll = { RemoteControl: 'ignore', DeceptiveUtility: 'ignore', ScamWebsite: 'ignore' } as const;
const ann = { first_name: 'Ann', masked_email: 'a•••@example.org' };

async function restarted(server: TestServer, test: TestAgent, off = 0): Promise<TestAgent> {
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + off), up: 30_000, boot: `after ${test.clock.boot}` };
  return agentForTest(server, { os: test.os, folder: test.folder, clock });
}
const undo = async (browser: Browser) => (await browser.press('undo')).text;
const told = (server: TestServer, kind: string) => until(`the news: ${kind}`, () => server.newsOf.find((news) => news.kind === kind));

describe('[P10.8] Not right? Undo', () => {
  it('undo returns a computer to the free plan without a PIN, and the account is notified', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { free: true });
    await connect(test, 'ABCD-EFGH');
    const browser = await browserOf(test);
    const { device: gone } = server;
    expect(await browser.page()).toContain('It then has the free plan, and doesn’t belong to anyone. We’ll tell Carol.');
    expect(await undo(browser)).toContain('Undone.');
    expect((await test.status()).body).toEqual(guest);
    expect(await browser.page()).toContain('This computer doesn’t belong to any account.');
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await told(server, 'undone')).toEqual({ device: gone, kind: 'undone' });
    expect(await browser.page()).not.toContain('Not right?');
    const again = await restarted(server, test);
    expect((await again.status()).body).toEqual(guest);
    await until('nothing to be told any more', async () => (await again.store.farewells()).length === 0);
    expect(server.newsOf.filter(({ kind }) => kind === 'undone')).toHaveLength(1);
  });

  it('undoing a first link leaves at least the free plan', async () => {
    const { server, test } = await linked();
    expect(await undo(await browserOf(test))).toContain('Undone.');
    expect((await test.status()).body).toEqual(guest);
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await test.store.freePlan()).toBe('chosen');
    await told(server, 'undone');
  });

  it('undo returns a computer to its former account and policy, also offline, and both accounts are notified', async () => {
    const { server, test } = await linked();
    const { device: annes } = server;
    server.setPolicy({ holder: ann, actions: ignoreAll, device_name: 'Ann PC' });
    await until('the policy', async () => (await test.store.policy())?.device_name === 'Ann PC');
    timePasses(test, day);
    expect(await connect(test, 'BCDE-FGHJ', { pin: testPin })).toContain('Connected.');
    expect(await told(server, 'moved')).toEqual({ device: annes, kind: 'moved' });
    const { device: other } = server;
    expect(other).not.toBe(annes);
    await ended(test, test.os.start({ name: 'anydesk' }));
    await server.down();
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('It then belongs to Ann (a•••@example.org) again. We’ll tell Carol.');
    await undo(browser);
    expect(await browser.page()).toContain('This computer belongs to Ann (a•••@example.org).');
    expect((await test.store.identity())?.device.uuid).toBe(annes);
    const allowed = test.os.start({ name: 'anydesk' });
    // It is looked at, and left alone, as Ann's own profile says.
    await until('her profile', async () => !(await browser.page('settings')).includes('stopped'));
    expect([...test.os.running].some(({ pid }) => pid === allowed.pid)).toBe(true);
    expect(server.newsOf.some(({ kind }) => kind === 'undone')).toBe(false);
    const again = await restarted(server, test);
    await server.listen();
    expect(await told(server, 'undone')).toEqual({ device: other, kind: 'undone' });
    expect((await again.store.identity())?.device.uuid).toBe(annes);
  });

  it('undo restores the former account’s policy although another one is just being stored', async () => {
    const [server, folder] = [await serverForTest(), await temporaryFolder()];
    const store = await openStore(folder);
    let held: { begun: boolean; undoing: boolean } | null = null;
    const slow: typeof store = {
      ...store,
      setFarewells: async (all) => {
        if (held) held.undoing = true;
        return store.setFarewells(all);
      },
      // The one of the other account comes after the one that is put back, where that does not wait for it.
      keepPolicy: async (document) => {
        if (held && document.payload.includes('Slow PC')) {
          held.begun = true;
          await until('the undo', () => held?.undoing);
          for (let n = 0; n < 300; n++) if ((await store.policyDocument())?.payload.includes('Ann PC')) break;
        }
        return store.keepPolicy(document);
      },
    };
    const test = await agentForTest(server, { folder, store: slow });
    await test.linked();
    const { device: annes } = server;
    server.setPolicy({ holder: ann, device_name: 'Ann PC' });
    await until('the policy', async () => (await store.policy())?.device_name === 'Ann PC');
    timePasses(test, day);
    expect(await connect(test, 'BCDE-FGHJ', { pin: testPin })).toContain('Connected.');
    await told(server, 'moved');
    await until('the policy of the other account', async () => (await store.policy())?.device === server.device);
    held = { begun: false, undoing: false };
    server.setPolicy({ device: server.device, holder: carol, device_name: 'Slow PC' });
    await until('the next one to come', () => held?.begun);
    await server.down();
    const browser = await browserOf(test);
    await undo(browser);
    expect(await browser.page()).toContain('This computer belongs to Ann (a•••@example.org).');
    expect(await store.policy()).toMatchObject({ device: annes, device_name: 'Ann PC' });
  });

  it.each([
    ['is told it once the server knows the computer again', 'well', 0, true],
    ['is told nothing more where the device was removed', 'removed', 0, false],
    ['is told nothing more where that lasts for a day', 'revoked', day, false],
  ] as const)('a server that does not know the computer for a while: the account %s', async (_what, mood, later, isTold) => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    await server.down();
    await undo(browser);
    server.be('revoked');
    await server.listen();
    const tries = () => server.calls.filter((call) => call === 'POST /agent/news').length;
    await until('two refusals', () => tries() >= 2);
    expect(await test.store.farewells()).toHaveLength(1);
    timePasses(test, later);
    server.be(mood);
    await until('the end of it', async () => (await test.store.farewells()).length === 0);
    expect(server.newsOf.some(({ kind }) => kind === 'undone')).toBe(isTold);
  });

  it('undo is offered for one day of running time, whatever the clock says', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    test.clock.now = new Date(test.clock.now.getTime() + 30 * day);
    expect(await browser.page()).toContain('Not right? Undo');
    timePasses(test, day - minute);
    const second = await restarted(server, test, 30 * day);
    const later = await browserOf(second);
    expect(await later.page()).toContain('Not right? Undo');
    timePasses(second, 2 * minute);
    expect(await later.page()).not.toContain('Not right? Undo');
    expect(await undo(later)).toContain('This can’t be undone here anymore.');
    expect((await second.status()).body).toEqual(device);
    await until('the end of what was kept of before', async () => (await second.store.changes()).length === 0);
  });

  it('an account is not notified of an undo while the computer is still its own', async () => {
    const { server, test } = await linked();
    const identity = await test.store.identity();
    if (!identity) throw new Error('not linked');
    const news = { uuid: '11111111-1111-4111-8111-111111111111', time: new Date().toISOString(), said: { kind: 'undone' as const } };
    // As after a crash between the two.
    await test.close();
    await test.store.setFarewells([{ identity, news }]);
    const again = await agentForTest(server, { folder: test.folder });
    const checks = server.protecting.length;
    await until('a check-in', () => server.protecting.length > checks);
    expect(server.newsOf).toEqual([]);
    await undo(await browserOf(again));
    await told(server, 'undone');
    expect(server.newsOf).toHaveLength(1);
  });
});

describe('[P10.8] an administrator leaves the account', () => {
  const command = (test: TestAgent, name: '--leave' | '--stay') => {
    const said: string[] = [];
    const log = (sentence: string) => void said.push(sentence);
    return leaveCommand([name], async () => ({ store: test.store, now: () => test.clock.now, log }), log).then((code) => [
      code,
      said.join(),
    ]);
  };
  const noticed = (browser: Browser) => until('the notice', async () => (await browser.page()).includes('about to leave its account'));

  it('a leave notice is reported at once, and after a day of running time the computer has what it had before', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { free: true });
    await connect(test, 'ABCD-EFGH');
    expect(await command(test, '--leave')).toEqual([0, expect.stringContaining('are being notified')]);
    expect(server.newsOf).toEqual([{ device: server.device, kind: 'leaving' }]);
    const browser = await browserOf(test);
    await noticed(browser);
    await until('its day to begin', async () => (await test.store.notice())?.span);
    test.clock.now = new Date(test.clock.now.getTime() + 30 * day);
    timePasses(test, day - minute);
    await until('what is left to be written down', async () => ((await test.store.notice())?.span?.seen_up ?? 0) === test.clock.up);
    const second = await restarted(server, test, 30 * day);
    await noticed(await browserOf(second));
    expect((await second.status()).body).toEqual(device);
    timePasses(second, 2 * minute);
    await told(server, 'left');
    expect((await second.status()).body).toEqual(guest);
    await ended(second, second.os.start({ name: 'anydesk' }));
    expect(server.newsOf.map(({ kind }) => kind)).toEqual(['leaving', 'left']);
    await until('the notice to be gone', async () => (await second.store.notice()) === null);
  });

  it('a computer that had no plan before its account has none after leaving', async () => {
    const { server, test } = await linked();
    await command(test, '--leave');
    await until('its day to begin', async () => (await test.store.notice())?.span);
    timePasses(test, day);
    await told(server, 'left');
    expect((await test.status()).body).toEqual(idle);
  });

  it('the day of a leave notice begins when the server has the notice', async () => {
    const { server, test } = await linked();
    await server.down();
    expect(await command(test, '--leave')).toEqual([0, expect.stringContaining('cannot be reached')]);
    const browser = await browserOf(test);
    await noticed(browser);
    timePasses(test, 3 * day);
    expect(await browser.page()).toContain('after 24 hours more');
    await server.listen();
    await told(server, 'leaving');
    await until('its day to begin', async () => (await test.store.notice())?.span);
    expect((await test.status()).body).toEqual(device);
    expect(await browser.page()).toContain('after 24 hours more');
  });

  it('a leave notice is queued although the queue is full; other entries are not', async () => {
    const { server, test } = await linked();
    await server.down();
    await test.close();
    const waiting = Array.from({ length: agentLimits.news_kept }, (_, n) => `${String(n + 1).padStart(12, '0')}-x.json`);
    await Promise.all(waiting.map((name) => writeFile(join(test.folder, 'news', name), '')));
    const other = { uuid: randomUUID(), time: new Date().toISOString(), said: { kind: 'resumed' as const } };
    expect(await test.store.queueNews(other)).toBe(false);
    await command(test, '--leave');
    expect((await test.store.pendingNews()).map(({ said }) => said.kind)).toEqual(['leaving']);
  });

  it.each([
    ['by the command', (test: TestAgent) => command(test, '--stay')],
    ['by anyone at the window, without a PIN', async (test: TestAgent) => (await browserOf(test)).press('stay')],
  ])('is taken back %s, and the account hears of that too', async (_how, takeBack) => {
    const { server, test } = await linked();
    await command(test, '--leave');
    const browser = await browserOf(test);
    await noticed(browser);
    await takeBack(test);
    await until('the end of the notice', async () => !(await browser.page()).includes('about to leave its account'));
    await told(server, 'stays');
    timePasses(test, 2 * day);
    const checks = server.protecting.length;
    server.setPolicy({});
    await until('the next policy', async () => (await test.store.policy())?.version === server.policy.version);
    expect(server.protecting.length).toBeGreaterThanOrEqual(checks);
    expect((await test.status()).body).toEqual(device);
    expect(await test.store.notice()).toBeNull();
  });

  it('leaving is refused on an unlinked computer', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { free: true });
    expect(await command(test, '--leave')).toEqual([1, expect.stringContaining('does not belong to any account')]);
    expect(await test.store.notice()).toBeNull();
  });
});
