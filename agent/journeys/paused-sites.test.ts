import { createHmac } from 'node:crypto';
import { day, hour } from '@porchlight/contract/time.ts';
import type { UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { youngEntry } from '@porchlight/definitions/sites/young.ts';
import { expect, it, test as row } from 'vitest';
import { openStore } from '../state/store.ts';
import { agentForTest, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { agentWithFilter, filterPlan } from '../testing/agent-with-filter.ts';
import { pageAt } from '../testing/block-page.ts';
import { advanceTime, browserOf } from '../testing/browser.ts';
import { ask, blockAll, encodedName, filterForTest, queryFor, upstreamForTest } from '../testing/dns.ts';
import { until } from '../testing/until.ts';

const toll = 'e-zpass.com-etcbx.top';
const site = 'com-etcbx.top';
const pausing = { ...blockAll, paused: { opened: [] as string[], young: false } };

async function filter(options: Parameters<typeof filterForTest>[1] = {}) {
  const upstream = await upstreamForTest();
  const started = await filterForTest([upstream.socketAddress], { rules: pausing, ...options });
  const address = async (name: string) => (await ask(started.socketAddress, queryFor(name))).addresses[0];
  return { ...started, upstream, address };
}
const open = '192.0.2.1';

it('[P16.2] a name that only looks like a brand’s gets no address and is reported with the brand, and the brand’s own and others do', async () => {
  const { address, tried } = await filter();
  expect([await address(toll), await address('www.paypal.com'), await address('adblock-for-youtube.com')]).toEqual(['0.0.0.0', open, open]);
  expect(tried).toEqual([{ site, blocked: true, definition: null, imitates: 'E-ZPass' }]);
});

it('[P16.2] a site that was opened gets its address with all below it, another paused one does not, and what a list has stays blocked', async () => {
  const { address } = await filter({
    rules: { ...blockAll, paused: { opened: [site, 'paypal-login.com'], young: false } },
    list: ['paypal-login.com'],
  });
  expect([await address(toll), await address(site)]).toEqual([open, open]);
  expect([await address('usps-tracking.top'), await address('paypal-login.com')]).toEqual(['0.0.0.0', '0.0.0.0']);
});

row.each([
  ['does not block scam sites', { ...pausing, actions: { ...blockAll.actions, ScamWebsite: 'alert' as const } }],
  ['pauses nothing', blockAll],
  ['allows the site', { ...pausing, allow: [{ type: 'domain' as const, identifier: site, until: null, reported_until: null }] }],
])('[P16.2] a computer whose policy %s pauses no name, and another does', async (_what, rules) => {
  const { address, take } = await filter({ rules });
  expect(await address(toll)).toBe(open);
  take({ kind: 'rules', rules: pausing });
  expect(await address(toll)).toBe('0.0.0.0');
});

it('[P16.2] [P16.7] an alias with a paused name is paused too, unless a brand’s own site has it', async () => {
  const { address, upstream, tried } = await filter();
  upstream.answer = () => ({ records: [{ type: 5, data: encodedName('www.paypal.com.cdn-edge.top') }] });
  expect(await address('blog.example')).toBe('0.0.0.0');
  expect(tried.map(({ imitates }) => imitates)).toEqual(['PayPal']);
  expect(await address('www.paypal.com')).not.toBe('0.0.0.0');
});

it('[P16.2] the page in place of a paused site over plain HTTP names the brand and the way to open it', async () => {
  const { page } = await filter({ page: { address: '127.0.0.1', port: 0 } });
  const text = await pageAt(page?.port ?? 0, toll);
  expect(text).toContain('This isn’t really E-ZPass, as far as we can tell');
  expect(text).toContain('You can open it for an hour in the Porchlight window on this computer.');
});

const fresh = 'quartz-yield-desk.example';

it('[P16.3] a young site that was not opened here before is paused, its neighbours and an opened site are not, and a computer of one’s own pauses none', async () => {
  const young = { ...blockAll, paused: { opened: [], young: true } };
  const { address, tried, take } = await filter({ rules: young, list: [youngEntry(fresh), youngEntry('opened-before.example')] });
  const key = 'a key';
  const hash = createHmac('sha256', key).update('opened-before.example').digest('base64url').slice(0, 12);
  take({ kind: 'opened', key, hashes: [hash] });
  expect(await address(`www.${fresh}`)).toBe('0.0.0.0');
  expect([await address('www.opened-before.example'), await address('old.example')]).toEqual([open, open]);
  expect(tried).toEqual([{ site: fresh, blocked: true, definition: null, imitates: null }]);
  take({ kind: 'rules', rules: { ...blockAll, paused: { opened: [fresh], young: true } } });
  expect(await address(fresh)).toBe(open);
  take({ kind: 'rules', rules: young });
  // It was opened, and is remembered.
  expect(await address(fresh)).toBe(open);
  take({ kind: 'opened', key, hashes: [] });
  take({ kind: 'rules', rules: pausing });
  expect(await address('opened-before.example')).toBe(open);
});

it('[P16.3] what was opened is remembered as keyed hashes for 14 days, over a restart of the filter’s process, and no name is written', async () => {
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  const { key } = await store.openedSites.load(0);
  await store.openedSites.add(['first'], 0);
  await store.openedSites.add(['second'], 13 * day);
  const again = await openStore(folder);
  expect(await again.openedSites.load(13 * day)).toEqual({ key, hashes: ['first', 'second'] });
  expect(await again.openedSites.load(14 * day)).toEqual({ key, hashes: ['second'] });
});

async function agent() {
  const started = await agentWithFilter();
  const { server, test, closes } = started;
  await started.set({});
  await closes(toll);
  await until('the window', () => test.os.opened.length > 0);
  const browser = await browserOf(test);
  const opened = () => server.events.map(({ reported }) => reported).filter(({ kind }) => kind === 'opened_site');
  const asked = () => [...server.detections.values()].map(({ category, identifier, name, why }) => ({ category, identifier, name, why }));
  /** Somebody tries the next one, and presses in the window. */
  const press = async (name: string) => {
    await closes(name);
    await until('the window to show it', async () => /open_site/.test(await browser.page()));
    return browser.press('open_site');
  };
  return { ...started, browser, opened, asked, press };
}
const question = { category: 'PausedSite', identifier: `paused:${site}`, name: site, why: 'E-ZPass' };

it('[P16.2] a press in the window opens a paused site for an hour and is reported, nothing is reported before it, and a restart neither ends nor prolongs it', async () => {
  const { server, test, browser, sites, isClosed, opens, closes, opened, asked } = await agent();
  const shown = await browser.page();
  expect(shown).toContain('This isn’t really E-ZPass, as far as we can tell');
  expect(shown).toContain('Anna will read about it in the weekly email');
  expect(shown).not.toMatch(/I asked for this|Someone said yes/);
  expect([opened(), asked()]).toEqual([[], []]);
  expect((await browser.press('open_site')).text).toContain('You can open it now, for an hour. Load the page again.');
  await opens(toll);
  await until('the report', () => opened().length === 1);
  expect([opened(), asked()]).toEqual([[{ kind: 'opened_site', site }], []]);
  expect(await isClosed('usps-tracking.top')).toBe(true);
  await test.close();
  advanceTime(test, hour / 2);
  const next = await agentForTest(server, { folder: test.folder, sites, clock: test.clock });
  await opens(toll);
  advanceTime(next, hour / 2 + 1);
  await closes(toll);
});

it('[P16.2] a third press within an hour asks instead, a press after an hour does not, and a clock that is set forward changes nothing', async () => {
  const { test, press, opened, asked, closes } = await agent();
  for (const name of [toll, 'usps-tracking.top']) await press(name);
  await until('two reports', () => opened().length === 2);
  test.clock.now = new Date(test.clock.now.getTime() + 2 * hour);
  expect((await press('coinbase-verify.top')).text).toMatch(/ask(ed)? Anna/);
  await until('the question', () => asked().length === 1);
  expect(asked()).toMatchObject([{ category: 'PausedSite', name: 'coinbase-verify.top' }]);
  await closes('coinbase-verify.top');
  advanceTime(test, hour);
  expect((await press('netfliix.com')).text).toContain('You can open it now');
});

row.each<[string, (started: Awaited<ReturnType<typeof agent>>) => Promise<unknown>]>([
  ['of somebody else’s computer, or in an incident', ({ set }) => set({ paused_sites: 'ask' })],
  ['while money pages rest', ({ set }) => set({ money: { unanswered: true, sites: [], open: [] } })],
  ['after something was stopped', ({ set }) => set({}, { lock: true })],
  [
    'while remote control is live',
    async ({ set, test }) => {
      await set({ money: null }, { allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] });
      test.os.start({ name: 'anydesk' });
    },
  ],
])('[P16.2] a press %s waits for a yes, which opens the site for an hour, and a no keeps it closed', async (_when, begin) => {
  const { begun, asked, browser, opens, closes, isClosed, answer } = await begunWith(begin);
  await begun();
  expect((await browser.press('open_site')).text).toContain('We asked Anna.');
  await until('the question', () => asked().length > 0);
  expect(asked()).toContainEqual(question);
  expect(await isClosed(toll)).toBe(true);
  await answer('yes');
  await opens(toll);
  await answer('no');
  await closes(toll);
  expect(await browser.page()).not.toContain('open_site');
});

async function begunWith(begin: (started: Awaited<ReturnType<typeof agent>>) => Promise<unknown>) {
  const started = await agent();
  const { server, test, browser } = started;
  const answer = async (given: 'yes' | 'no') => {
    const answers: UnlistedPolicy['answers'] = [
      { identifier: question.identifier, answer: given, until: new Date(test.clock.now.getTime() + hour).toISOString() },
    ];
    server.setPolicy({ unlisted: { ...server.policy.unlisted, answers } });
    await until('the policy', () => server.policy_in_force === server.policy.version);
  };
  const begun = async () => {
    await begin(started);
    await until('the window to ask', async () => (await browser.page()).includes('Ask Anna to open it'));
  };
  return { ...started, answer, begun };
}

it('[P16.2] a computer without an account opens a paused site by a press, and nobody is notified of it', async () => {
  const [server, sites] = [await serverForTest(), await filterPlan()];
  const test = await agentForTest(server, { sites, freeAgent: true });
  const isOpen = async () => (await ask(sites.own, queryFor(toll), 500).catch(() => null))?.addresses[0] === open;
  await until('the window', () => test.os.opened.length > 0 || isOpen().then(() => false));
  const browser = await browserOf(test);
  expect((await browser.press('open_site')).text).toContain('You can open it now');
  await until('it to open', isOpen);
  expect([server.events, server.detections.size]).toEqual([[], 0]);
});
