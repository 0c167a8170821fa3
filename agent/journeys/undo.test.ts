import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { day, minute } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { leaveCommand } from '../cli/leave.ts';
import { openStore } from '../state/store.ts';
import { agentForTest, ended, incidentIsOver, linked, serverForTest, type TestAgent, temporaryFolder } from '../testing/agent.ts';
import { advanceTime, type Browser, browserOf, connect } from '../testing/browser.ts';
import { carol } from '../testing/enrolments.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const guest = { g: true, l: false, v: '1.2.3' };
const idle = { g: false, l: false, v: '1.2.3' };
const device = { g: false, l: true, v: '1.2.3' };
const ignoreAll = { RemoteControl: 'ignore', DeceptiveUtility: 'ignore', ScamWebsite: 'ignore' } as const;
const ann = { first_name: 'Ann', masked_email: 'a•••@example.org' };

async function restarted(server: TestServer, test: TestAgent, offMs = 0): Promise<TestAgent> {
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + offMs), up: 30_000, boot: `after ${test.clock.boot}` };
  return agentForTest(server, { os: test.os, folder: test.folder, clock });
}
const undo = async (browser: Browser) => (await browser.press('undo')).text;
const eventReceived = (server: TestServer, kind: string) =>
  until(`the event: ${kind}`, () => server.eventsOf.find((event) => event.kind === kind));

describe('[P10.8] undoing a link in the window', () => {
  it('undo returns a computer to the free plan without a PIN, and the account is notified', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { freeAgent: true });
    await connect(test, 'ABCD-EFGH');
    const browser = await browserOf(test);
    const { device: formerDevice } = server;
    expect(await browser.page()).toContain('It then has the free plan, and doesn’t belong to anyone. We’ll write to Carol.');
    expect(await undo(browser)).toContain('Undone.');
    expect((await test.status()).body).toEqual(guest);
    expect(await browser.page()).toContain('This computer doesn’t belong to any account.');
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await eventReceived(server, 'undone')).toEqual({ device: formerDevice, kind: 'undone' });
    expect(await browser.page()).not.toContain('Not right?');
    const restartedAgent = await restarted(server, test);
    expect((await restartedAgent.status()).body).toEqual(guest);
    await until('nothing to be told any more', async () => (await restartedAgent.store.farewells()).length === 0);
    expect(server.eventsOf.filter(({ kind }) => kind === 'undone')).toHaveLength(1);
  });

  it('undoing a first link leaves the computer the free plan', async () => {
    const { server, test } = await linked();
    expect(await undo(await browserOf(test))).toContain('Undone.');
    expect((await test.status()).body).toEqual(guest);
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await test.store.freePlan()).toBe('chosen');
    await eventReceived(server, 'undone');
  });

  it('undo returns a computer to its former account and policy, also offline, and both accounts are notified', async () => {
    const { server, test } = await linked();
    const { device: annes } = server;
    server.setPolicy({ holder: ann, actions: ignoreAll, device_name: 'Ann PC' });
    await until('the policy', async () => (await test.store.policy())?.device_name === 'Ann PC');
    advanceTime(test, day);
    expect(await connect(test, 'BCDE-FGHJ', { pin: testPin })).toContain('Connected.');
    expect(await eventReceived(server, 'moved')).toEqual({ device: annes, kind: 'moved' });
    const { device: secondDevice } = server;
    expect(secondDevice).not.toBe(annes);
    await ended(test, test.os.start({ name: 'anydesk' }));
    await incidentIsOver(server, test);
    await server.down();
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('It then belongs to Ann (a•••@example.org) again. We’ll write to Carol.');
    await undo(browser);
    expect(await browser.page()).toContain('This computer belongs to Ann (a•••@example.org).');
    expect((await test.store.identity())?.device.uuid).toBe(annes);
    // Her profile ignores everything, and for a day the free plan is the minimum: remote control is still blocked.
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await browser.page('settings')).toContain(
      'Remote-control programs: blocked. Deceptive programs: allowed. Scam websites: not blocked on this computer.',
    );
    await ended(test, test.os.start({ name: 'anydesk' }));
    advanceTime(test, day + 1000);
    await until('her profile', async () => (await browser.page('settings')).includes('Remote-control programs: allowed.'));
    const allowedProgram = test.os.start({ name: 'anydesk' });
    expect([...test.os.running].some(({ pid }) => pid === allowedProgram.pid)).toBe(true);
    expect(server.eventsOf.some(({ kind }) => kind === 'undone')).toBe(false);
    const restartedAgent = await restarted(server, test);
    await server.listen();
    expect(await eventReceived(server, 'undone')).toEqual({ device: secondDevice, kind: 'undone' });
    expect((await restartedAgent.store.identity())?.device.uuid).toBe(annes);
  });

  it("an undo restores the former account’s policy although the other account's policy is just being stored", async () => {
    const [server, folder] = [await serverForTest(), await temporaryFolder()];
    const store = await openStore(folder);
    let delayedWrite: { begun: boolean; undoing: boolean } | null = null;
    const slowStore: typeof store = {
      ...store,
      setFarewells: async (farewells) => {
        if (delayedWrite) delayedWrite.undoing = true;
        return store.setFarewells(farewells);
      },
      // Delays writing the other account's policy until the undo has begun.
      savePolicy: async (document) => {
        if (delayedWrite && document.payload.includes('Slow PC')) {
          delayedWrite.begun = true;
          await until('the undo', () => delayedWrite?.undoing);
          for (let n = 0; n < 300; n++) if ((await store.policyDocument())?.payload.includes('Ann PC')) break;
        }
        return store.savePolicy(document);
      },
    };
    const test = await agentForTest(server, { folder, store: slowStore });
    await test.linked();
    const { device: annes } = server;
    server.setPolicy({ holder: ann, device_name: 'Ann PC' });
    await until('the policy', async () => (await store.policy())?.device_name === 'Ann PC');
    advanceTime(test, day);
    expect(await connect(test, 'BCDE-FGHJ', { pin: testPin })).toContain('Connected.');
    await eventReceived(server, 'moved');
    await until('the policy of the other account', async () => (await store.policy())?.device === server.device);
    delayedWrite = { begun: false, undoing: false };
    server.setPolicy({ device: server.device, holder: carol, device_name: 'Slow PC' });
    await until('the next one to come', () => delayedWrite?.begun);
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
  ] as const)(
    'when the server does not recognize the computer after an undo, the former account %s',
    async (_what, mood, elapsed, isNotified) => {
      const { server, test } = await linked();
      const browser = await browserOf(test);
      await server.down();
      await undo(browser);
      server.setMood('revoked');
      await server.listen();
      const reports = () => server.calls.filter((call) => call === 'POST /agent/events').length;
      await until('two refusals', () => reports() >= 2);
      expect(await test.store.farewells()).toHaveLength(1);
      advanceTime(test, elapsed);
      server.setMood(mood);
      await until('the end of it', async () => (await test.store.farewells()).length === 0);
      expect(server.eventsOf.some(({ kind }) => kind === 'undone')).toBe(isNotified);
    },
  );

  it('undo is offered for one day of running time, whatever the clock says', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    test.clock.now = new Date(test.clock.now.getTime() + 30 * day);
    expect(await browser.page()).toContain('Not right? Undo');
    advanceTime(test, day - minute);
    const restartedAgent = await restarted(server, test, 30 * day);
    const secondBrowser = await browserOf(restartedAgent);
    expect(await secondBrowser.page()).toContain('Not right? Undo');
    advanceTime(restartedAgent, 2 * minute);
    expect(await secondBrowser.page()).not.toContain('Not right? Undo');
    expect(await undo(secondBrowser)).toContain('This can’t be undone here anymore.');
    expect((await restartedAgent.status()).body).toEqual(device);
    await until('the end of the stored former account', async () => (await restartedAgent.store.changes()).length === 0);
  });

  it('an account is not notified when a change of owner is undone while the computer still belongs to it', async () => {
    const { server, test } = await linked();
    const identity = await test.store.identity();
    if (!identity) throw new Error('not linked');
    const event = { uuid: '11111111-1111-4111-8111-111111111111', time: new Date().toISOString(), reported: { kind: 'undone' as const } };
    // Simulates a crash between the two writes of an undo.
    await test.close();
    await test.store.setFarewells([{ identity, event }]);
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    const checks = server.protecting.length;
    await until('a check-in', () => server.protecting.length > checks);
    expect(server.eventsOf).toEqual([]);
    await undo(await browserOf(restartedAgent));
    await eventReceived(server, 'undone');
    expect(server.eventsOf).toHaveLength(1);
  });
});

describe('[P10.8] an administrator leaves the account', () => {
  const command = (test: TestAgent, name: '--leave' | '--stay') => {
    const logLines: string[] = [];
    const log = (sentence: string) => void logLines.push(sentence);
    return leaveCommand([name], async () => ({ store: test.store, now: () => test.clock.now, log }), log).then((code) => [
      code,
      logLines.join(),
    ]);
  };
  const waitForNotice = (browser: Browser) =>
    until('the notice', async () => (await browser.page()).includes('about to leave its account'));

  it('a leave notice is reported at once, and after a day of running time the computer has the free plan it had before', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { freeAgent: true });
    await connect(test, 'ABCD-EFGH');
    expect(await command(test, '--leave')).toEqual([0, expect.stringContaining('are being notified')]);
    expect(server.eventsOf).toEqual([{ device: server.device, kind: 'leaving' }]);
    const browser = await browserOf(test);
    await waitForNotice(browser);
    await until('its day to begin', async () => (await test.store.notice())?.span);
    test.clock.now = new Date(test.clock.now.getTime() + 30 * day);
    advanceTime(test, day - minute);
    await until('what is left to be written down', async () => ((await test.store.notice())?.span?.seen_up ?? 0) === test.clock.up);
    const restartedAgent = await restarted(server, test, 30 * day);
    await waitForNotice(await browserOf(restartedAgent));
    expect((await restartedAgent.status()).body).toEqual(device);
    advanceTime(restartedAgent, 2 * minute);
    await eventReceived(server, 'left');
    expect((await restartedAgent.status()).body).toEqual(guest);
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
    expect(server.eventsOf.map(({ kind }) => kind)).toEqual(['leaving', 'left']);
    await until('the notice to be gone', async () => (await restartedAgent.store.notice()) === null);
  });

  it('a computer that had no plan before it was linked has none after leaving the account', async () => {
    const { server, test } = await linked();
    await command(test, '--leave');
    await until('its day to begin', async () => (await test.store.notice())?.span);
    advanceTime(test, day);
    await eventReceived(server, 'left');
    expect((await test.status()).body).toEqual(idle);
  });

  it('the day of a leave notice begins when the server has the notice', async () => {
    const { server, test } = await linked();
    await server.down();
    expect(await command(test, '--leave')).toEqual([0, expect.stringContaining('cannot be reached')]);
    const browser = await browserOf(test);
    await waitForNotice(browser);
    advanceTime(test, 3 * day);
    expect(await browser.page()).toContain('after 24 hours more');
    await server.listen();
    await eventReceived(server, 'leaving');
    await until('its day to begin', async () => (await test.store.notice())?.span);
    expect((await test.status()).body).toEqual(device);
    expect(await browser.page()).toContain('after 24 hours more');
  });

  it('a leave notice is queued although the queue is full; other entries are not', async () => {
    const { server, test } = await linked();
    await server.down();
    await test.close();
    const queuedNames = Array.from({ length: agentLimits.events_stored_max }, (_, n) => `${String(n + 1).padStart(12, '0')}-x.json`);
    await Promise.all(queuedNames.map((name) => writeFile(join(test.folder, 'events', name), '')));
    const otherEvent = { uuid: randomUUID(), time: new Date().toISOString(), reported: { kind: 'resumed' as const } };
    expect(await test.store.queueEvent(otherEvent)).toBe(false);
    await command(test, '--leave');
    expect((await test.store.pendingEvents()).map(({ reported }) => reported.kind)).toEqual(['leaving']);
  });

  it.each([
    ['by the command', (test: TestAgent) => command(test, '--stay')],
    ['by anyone at the window, without a PIN', async (test: TestAgent) => (await browserOf(test)).press('stay')],
  ])('a leave notice is cancelled %s, and the account is notified of the cancellation', async (_how, cancel) => {
    const { server, test } = await linked();
    await command(test, '--leave');
    const browser = await browserOf(test);
    await waitForNotice(browser);
    await cancel(test);
    await until('the end of the notice', async () => !(await browser.page()).includes('about to leave its account'));
    await eventReceived(server, 'stays');
    advanceTime(test, 2 * day);
    const checks = server.protecting.length;
    server.setPolicy({});
    await until('the next policy', async () => (await test.store.policy())?.version === server.policy.version);
    expect(server.protecting.length).toBeGreaterThanOrEqual(checks);
    expect((await test.status()).body).toEqual(device);
    expect(await test.store.notice()).toBeNull();
  });

  it('leaving is refused on an unlinked computer', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { freeAgent: true });
    expect(await command(test, '--leave')).toEqual([1, expect.stringContaining('does not belong to any account')]);
    expect(await test.store.notice()).toBeNull();
  });
});
