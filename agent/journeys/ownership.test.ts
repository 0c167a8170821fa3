import { randomUUID } from 'node:crypto';
import { day, minute, second } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { linkAtStart } from '../lifecycle/link-at-start.ts';
import { agentForTest, ended, linked, serverForTest, type TestAgent } from '../testing/agent.ts';
import { advanceTime, type Browser, browserOf, connect, sayYes } from '../testing/browser.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const guest = { g: true, l: false, v: '1.2.3' };
const [ann, mallory] = [
  { first_name: 'Ann', masked_email: 'a•••@example.org' },
  { first_name: 'Mallory', masked_email: 'm•••@scam.example' },
];
const ignoreAll = { RemoteControl: 'ignore', DeceptiveUtility: 'ignore', ScamWebsite: 'ignore' } as const;

const handOver = async ({ agent }: TestAgent, server: TestServer, link: object) => {
  const answer = await fetch(`http://127.0.0.1:${agent.port}/api/uri`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify(link),
  });
  return { status: answer.status, ...((await answer.json()) as { code?: string; error?: string }) };
};
async function freeComputer(
  overrides: Parameters<typeof agentForTest>[1] = {},
): Promise<{ server: TestServer; test: TestAgent; browser: Browser }> {
  const server = await serverForTest();
  server.holders.set('MALL-MALL', mallory);
  const test = await agentForTest(server, { freeAgent: true, ...overrides });
  await until('the free plan', () => test.logLines.some((line) => line.includes('with the free plan')));
  return { server, test, browser: await browserOf(test) };
}
async function restarted(server: TestServer, test: TestAgent, offMs = 0): Promise<TestAgent> {
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + offMs), up: 30_000, boot: `after ${test.clock.boot}` };
  return agentForTest(server, { os: test.os, folder: test.folder, clock });
}
const policyInForce = async (server: TestServer, test: TestAgent) => {
  const { version } = server.policy;
  await until('the policy', async () => (await test.store.policy())?.version === version);
  const polls = () => server.polls();
  const pollsBefore = polls();
  await until('the next poll', () => polls() > pollsBefore);
};
const runs = (test: TestAgent, { pid }: { pid: number }) => [...test.os.running].some((process) => process.pid === pid);

describe('A2: a link or a code does not link a computer with the free plan without consent', () => {
  it("a stranger's link changes nothing: the window asks and names the account, and the dashboard learns that it asks", async () => {
    const { server, test, browser } = await freeComputer();
    server.holders.set('MALLMALL', mallory);
    server.setPolicy({ actions: ignoreAll });
    const link = server.link({ code: 'MALL-MALL' });
    const openedBefore = test.os.opened.length;
    expect(await handOver(test, server, link)).toEqual({
      status: 409,
      code: 'asked',
      error: 'Nothing was changed yet. Answer the question in the Porchlight window.',
    });
    expect(test.os.opened).toHaveLength(openedBefore + 1);
    expect((await test.status()).body).toEqual(guest);
    const page = await browser.page();
    for (const text of [
      '<h1>Should this computer belong to Mallory?</h1>',
      'Mallory’s account (m•••@scam.example)',
      'would decide what we block here, and get the PIN',
      'Did a stranger on the phone send you here? Then say no.',
      'This computer doesn’t belong to any account.',
    ])
      expect(page).toContain(text);
    expect(/<button[^>]*>/.exec(page)?.[0]).toMatch(/value="no" autofocus/);
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(server.enrolled).toEqual([]);
    expect((await test.store.identity()) ?? null).toBeNull();
  });

  it.each([
    ['typed into the window', async ({ browser }: { browser: Browser }) => void (await browser.press('link', { code: 'MALL-MALL' }))],
    [
      'on the command line',
      ({ test }: { test: TestAgent }) => linkAtStart(test.agent, { code: 'MALL-MALL' }, (sentence) => void test.logLines.push(sentence)),
    ],
    [
      'in the name of an installer',
      ({ test }: { test: TestAgent }) =>
        linkAtStart(test.agent, { code: 'MALL-MALL', free: true }, (sentence) => void test.logLines.push(sentence)),
    ],
  ])('linking with a code %s needs consent too', async (_where, giveCode) => {
    const computer = await freeComputer();
    await giveCode(computer);
    expect(await computer.browser.page()).toContain('Should this computer belong to Mallory?');
    expect(computer.server.enrolled).toEqual([]);
    expect((await computer.test.status()).body).toEqual(guest);
  });

  it('answering no to the ownership question changes nothing; the same link does not ask again, a typed code does', async () => {
    const { server, test, browser } = await freeComputer();
    const link = server.link({ code: 'MALL-MALL' });
    await handOver(test, server, link);
    expect((await browser.press('answer', { answer: 'no' })).text).toContain('You said no. Nothing was changed.');
    expect(await browser.page()).not.toContain('Should this computer');
    expect(await handOver(test, server, link)).toMatchObject({ status: 409, code: 'declined' });
    expect((await browser.press('link', { code: 'MALL-MALL' })).text).toContain('Should this computer belong to Mallory?');
    expect(server.enrolled).toEqual([]);
  });

  it('any answer other than yes to the ownership question counts as no', async () => {
    const { server, test, browser } = await freeComputer();
    for (const answer of ['', 'YES', 'maybe']) {
      await browser.press('link', { code: 'MALL-MALL' });
      await browser.page();
      advanceTime(test, 11 * second);
      expect((await browser.press('answer', { answer })).text).toContain('You said no.');
    }
    expect(server.enrolled).toEqual([]);
  });

  it('yes to the ownership question counts only ten seconds after the question was shown, whatever the clock says', async () => {
    const { server, test, browser } = await freeComputer();
    await handOver(test, server, server.link({ code: 'MALL-MALL' }));
    // Yes is refused, because the question was not shown yet.
    advanceTime(test, 5 * minute);
    expect((await browser.press('answer', { answer: 'yes' })).text).toContain('You can say yes in 10 seconds.');
    test.clock.now = new Date(test.clock.now.getTime() + day);
    expect((await browser.press('answer', { answer: 'yes' })).text).toContain('You can say yes in 10 seconds.');
    advanceTime(test, 10 * second - 1);
    expect((await browser.press('answer', { answer: 'yes' })).text).toContain('You can say yes in 1 second.');
    expect(server.enrolled).toEqual([]);
    advanceTime(test, 1);
    expect((await browser.press('answer', { answer: 'yes' })).text).toContain('Connected.');
    expect(server.enrolled).toEqual(['MALL-MALL']);
  });

  it('an ownership question without an answer for ten minutes counts as declined', async () => {
    const { server, test, browser } = await freeComputer();
    await browser.press('link', { code: 'MALL-MALL' });
    const question = /name="question" value="([^"]+)"/.exec(await browser.page())?.[1] ?? '';
    advanceTime(test, 10 * minute);
    expect(await browser.page()).not.toContain('Should this computer');
    expect((await browser.press('answer', { question, answer: 'yes' })).text).toContain('That question is closed.');
    expect(server.enrolled).toEqual([]);
  });

  it('a link handed over again keeps the open ownership question and its countdown', async () => {
    const { server, test, browser } = await freeComputer();
    const link = server.link({ code: 'MALL-MALL' });
    await handOver(test, server, link);
    await browser.page();
    advanceTime(test, 10 * second);
    const openedBefore = test.os.opened.length;
    expect(await handOver(test, server, link)).toMatchObject({ code: 'asked' });
    expect(test.os.opened).toHaveLength(openedBefore + 1);
    expect((await browser.press('answer', { answer: 'yes' })).text).toContain('Connected.');
    expect(server.calls.filter((call) => call === 'POST /agent/whose')).toHaveLength(1);
  });

  it('an ownership question stays open while the server is unreachable, and ends when its code was already used', async () => {
    const { server, test, browser } = await freeComputer();
    await browser.press('link', { code: 'MALL-MALL' });
    await server.down();
    expect((await sayYes(test, browser)).text).toContain('We can’t reach our server.');
    expect(await browser.page()).toContain('Should this computer belong to Mallory?');
    await server.listen();
    server.enrolled.push('MALL-MALL');
    expect((await sayYes(test, browser)).text).toContain('already been used');
    expect(await browser.page()).not.toContain('Should this computer');
  });

  it('for a day after consent Strict applies despite a weaker profile and an allow list, and protection cannot be paused', async () => {
    const { server, test } = await freeComputer();
    server.setPolicy({
      actions: ignoreAll,
      block_likely: false,
      allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }],
    });
    expect(await connect(test, 'MALL-MALL')).toContain('Connected.');
    await policyInForce(server, test);
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the server to know', () => server.countdowns.strict_for > 0);
    const browser = await browserOf(test);
    test.clock.now = new Date(test.clock.now.getTime() + 2 * day);
    const page = await browser.page();
    expect(page).toContain('For the first day, this computer is on Strict');
    expect(page).not.toContain('href="pause"');
    expect((await browser.press('pause', { minutes: '1', pin: testPin, understood: 'yes' })).text).toContain('can’t be paused');
    await ended(test, test.os.start({ name: 'anydesk' }));

    advanceTime(test, 12 * 60 * minute);
    const secondAgent = await restarted(server, test, 3 * day);
    await ended(secondAgent, secondAgent.os.start({ name: 'anydesk' }));
    advanceTime(secondAgent, 11 * 60 * minute);
    await ended(secondAgent, secondAgent.os.start({ name: 'anydesk' }));
    advanceTime(secondAgent, 2 * 60 * minute);
    const allowedProgram = secondAgent.os.start({ name: 'anydesk' });
    const secondBrowser = await browserOf(secondAgent);
    await until('the end of the first day', async () => !(await secondBrowser.page()).includes('For the first day'));
    await until('the profile of the account', async () => !(await secondBrowser.page('settings')).includes('stopped'));
    expect(runs(secondAgent, allowedProgram)).toBe(true);
    await until('nothing to be kept of it', async () => (await secondAgent.store.changes()).length === 0);
  });

  it('[P15.1] on the first day after a change of owner the window says of nobody that they are helping, because their program is stopped', async () => {
    const { server, test } = await freeComputer();
    const now = Date.now();
    const helper = { uuid: randomUUID(), identifier: 'anydesk', program: 'AnyDesk', by: 'Bob', money_pages: true };
    server.setPolicy({
      issued: new Date(now).toISOString(),
      appointment: { ...helper, until: new Date(now + 60 * minute).toISOString() },
    });
    await connect(test, 'MALL-MALL');
    await policyInForce(server, test);
    await until('the appointment', async () => (await test.store.appointments()).length === 1);
    const page = await (await browserOf(test)).page();
    expect(page).toContain('For the first day, this computer is on Strict');
    expect(page).not.toContain('Bob is helping');
    await ended(test, test.os.start({ name: 'anydesk' }));
  });
});

describe('[P10.8] a computer without an account', () => {
  it('a new computer is linked at once by link or code, without a first day on Strict', async () => {
    const { server, test } = await linked();
    expect(server.calls).not.toContain('POST /agent/whose');
    server.setPolicy({ actions: ignoreAll });
    await policyInForce(server, test);
    const process = test.os.start({ name: 'anydesk' });
    const browser = await browserOf(test);
    expect(await browser.page()).not.toContain('For the first day');
    expect(runs(test, process)).toBe(true);
    expect(await browser.page()).toContain('Not right? Undo');
  });

  it('a new computer is linked at once by its installer’s code, also after a restart, and can be undone to the free plan', async () => {
    const server = await serverForTest();
    await server.down();
    const firstAgent = await agentForTest(server, { freeAgent: 'with_code' });
    await firstAgent.close();
    await server.listen();
    const test = await agentForTest(server, { freeAgent: 'with_code', folder: firstAgent.folder });
    await linkAtStart(test.agent, { code: 'ABCD-EFGH', free: true }, () => {});
    expect((await test.store.identity())?.device.uuid).toBe(server.device);
    expect(server.calls).not.toContain('POST /agent/whose');
    expect(await test.store.freePlan()).toBe('chosen');
  });

  it('a computer whose installer’s code is refused has the free plan, and asks before any later link', async () => {
    const server = await serverForTest();
    server.enrolled.push('ABCD-EFGH');
    const test = await agentForTest(server, { freeAgent: 'with_code' });
    await linkAtStart(test.agent, { code: 'ABCD-EFGH', free: true }, () => {});
    expect((await test.status()).body).toEqual(guest);
    await expect(test.agent.link.byCode('BCDE-FGHJ')).rejects.toMatchObject({ code: 'asked' });
  });
});

describe('[P10.8] whose computer it is', () => {
  it('the account holder is named on every page, also offline after a restart, and follows the account', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    for (const page of ['', 'settings', 'pause', 'other', 'uninstall', 'found'])
      expect(await browser.page(page), page).toContain('This computer belongs to Carol (c•••@gmail.com).');
    server.setPolicy({ holder: ann });
    await policyInForce(server, test);
    expect(await browser.page()).toContain('This computer belongs to Ann (a•••@example.org).');
    await test.close();
    await server.down();
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    expect(await (await browserOf(restartedAgent)).page()).toContain('This computer belongs to Ann (a•••@example.org).');
  });

  it('the account holder is known from the enrolment answer, before a policy arrives', async () => {
    const { server, test } = await linked();
    await test.close();
    const identity = await test.store.identity();
    if (identity) await test.store.setIdentity(identity);
    await server.down();
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    expect(await restartedAgent.store.policy()).toBeNull();
    expect(await (await browserOf(restartedAgent)).page()).toContain('This computer belongs to Carol');
  });

  it('the account holder’s name is escaped', async () => {
    const { server, test, browser } = await freeComputer();
    server.holders.set('MALL-MALL', { first_name: '<script>alert(1)</script>', masked_email: '"><img src=x>@x' });
    await browser.press('link', { code: 'MALL-MALL' });
    expect(await browser.page()).not.toMatch(/<script>alert|<img/);
    await sayYes(test, browser);
    expect(await browser.page()).not.toMatch(/<script>alert|<img/);
  });
});
