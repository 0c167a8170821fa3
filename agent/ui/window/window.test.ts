import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, serverForTest } from '../../testing/agent.ts';
import { advanceTime, browserOf } from '../../testing/browser.ts';
import { sitesWithoutSystem } from '../../testing/dns-command.ts';
import { fakeSystem } from '../../testing/fake-os.ts';
import { testPin } from '../../testing/server.ts';
import { until } from '../../testing/until.ts';

const pause = { minutes: '10', pin: testPin, understood: 'yes' };

describe('the window', () => {
  it('the window refuses a form without its CSRF token', async () => {
    const { server, test } = await linked(fakeSystem(), { sites: sitesWithoutSystem });
    const browser = await browserOf(test);
    for (const change of [
      { proof: '' },
      { proof: 'x'.repeat(32) },
      { origin: 'https://evil.example' },
      { origin: server.url },
      { cookie: '' },
    ]) {
      expect((await browser.press('pause', pause, change)).status).toBe(403);
    }
    expect((await browser.press('pause', pause, { origin: null })).status).toBe(405);
    const otherBrowser = await browserOf(test);
    const proofOf = async (page: string) => /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '';
    expect((await browser.press('pause', pause, { proof: await proofOf(await otherBrowser.page('pause')) })).status).toBe(403);
    expect(await browser.page()).toContain('This computer is protected');
    expect(server.events).toEqual([]);
  });

  it('the first page says in one sentence whether the computer is protected, and the settings page has the details', async () => {
    const { test } = await linked(fakeSystem(), { sites: sitesWithoutSystem });
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('<h1>This computer is protected</h1>');
    const settings = await browser.page('settings');
    for (const text of ['Laptop', '1.2.3', 'Remote-control programs: blocked', 'Last contact with the server'])
      expect(settings).toContain(text);
    expect(settings).not.toContain('Not since it was started');
    expect(await browser.page('uninstall')).toContain('It asks for the Admin PIN.');
    expect(await browser.page('nothing')).toBe('There is no such page.');
    expect(await browser.page('constructor')).toBe('There is no such page.');
  });

  it.each([
    ['started by hand', null, ['Scam sites are not blocked on this computer', 'Nobody can cut the internet of this computer from afar']],
    ['that cannot end programs of other users', sitesWithoutSystem, ['Programs that other people start are not stopped on this computer']],
  ])(
    'an agent %s says what it cannot do in place of calling the computer protected, and how to change that',
    async (_how, sites, words) => {
      const os = { ...fakeSystem(), endsOthers: sites === null };
      const { test } = await linked(os, { sites });
      const page = await (await browserOf(test)).page();
      expect(/<h1>(.*?)<\/h1>/.exec(page)?.[1]).toBe(words[0]);
      for (const sentence of words) expect(page).toContain(sentence);
      expect(page).toContain('an administrator of this computer has to run the Porchlight installer');
      expect(page).not.toMatch(/This computer is protected|fill="var\(--lamp\)"/);
    },
  );

  it.each([
    ['macos', sitesWithoutSystem, true],
    ['macos', null, false],
    ['windows', sitesWithoutSystem, false],
  ] as const)(
    '[P16.7] on %s the window gives the reason why a Mac warns of Private Relay, where sites are blocked (%#)',
    async (platform, sites, warns) => {
      const os = fakeSystem();
      const { test } = await linked({ ...os, info: () => ({ ...os.info(), platform }) }, { sites });
      expect((await (await browserOf(test)).page('settings')).includes('iCloud Private Relay')).toBe(warns);
    },
  );

  it('an agent reports to the server what it cannot do', async () => {
    const { server } = await linked();
    await until('a check-in', () => server.limitations.length > 0);
    expect(server.limitations.at(-1)).toEqual(['sites_not_blocked', 'internet_not_cut']);
  });

  it('[P4.4] the calm screen has four details and says whom to call; a request for the program is reported once and allows nothing', async () => {
    const { server, test } = await linked();
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the window', () => test.os.opened.length > 0);
    const browser = await browserOf(test);
    const page = await browser.page();
    for (const text of ['What happened', 'What we did', 'Is it over?', 'What to do now', 'Call Anna']) expect(page).toContain(text);
    const { text } = await browser.press('ask');
    expect(text).toContain('We’re asking Anna about AnyDesk. It stays blocked until someone says yes.');
    expect(text).toContain('After a yes, open it again.');
    await browser.press('ask');
    await until('the wish', () => server.events.length > 0);
    expect(server.events).toMatchObject([{ reported: { kind: 'asked', name: 'AnyDesk' } }]);
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(server.events).toHaveLength(1);
  });

  it('[P4.4] without the server a request says that guardians are asked once there is a connection', async () => {
    const { server, test } = await linked();
    await server.down();
    advanceTime(test, 1000);
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the window', () => test.os.opened.length > 0);
    const browser = await browserOf(test);
    const { text } = await browser.press('ask');
    expect(text).toContain('We’ll ask Anna about AnyDesk as soon as there is a connection.');
    expect(text).not.toContain('We’re asking');
  });

  it('names are escaped in the window', async () => {
    const { server, test } = await linked();
    server.setPolicy({ device_name: '<script>alert(1)</script>', relatives: ['"><img src=x onerror=alert(1)>'] });
    await until('the policy', () => server.policy_in_force === 2);
    const browser = await browserOf(test);
    for (const page of [await browser.page(), await browser.page('settings')]) expect(page).not.toMatch(/<script>alert|<img/);
  });

  it('an unlinked computer offers no pause, and links by a typed code', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server, { sites: sitesWithoutSystem });
    const browser = await browserOf(test);
    expect(await browser.page('pause')).toContain('<h1>This computer is not protected yet</h1>');
    await browser.press('link', { code: 'abcd efgh' });
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    await until('protection', async () => (await browser.page()).includes('This computer is protected'));
  });
});
