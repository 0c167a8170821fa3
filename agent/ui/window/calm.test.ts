import { describe, expect, it } from 'vitest';
import { ended, incidentIsOver, linked, type TestAgent } from '../../testing/agent.ts';
import { advanceTime, browserOf } from '../../testing/browser.ts';
import { testPin } from '../../testing/server.ts';
import { until } from '../../testing/until.ts';

/** The calm screen must suit a user whose scammer is still on the phone, and name only people who were notified. */

const textOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<svg.*?<\/svg>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
async function stop(test: TestAgent) {
  const openedBefore = test.os.opened.length;
  await ended(test, test.os.start({ name: 'anydesk' }));
  await until('the window', () => test.os.opened.length > openedBefore);
}
const beforeFold = (page: string) => textOf(/<main>(.*?)<details>/s.exec(page)?.[1] ?? '');
const longest = (initial: string) => `${initial}${'a'.repeat(29)}`;

describe('the calm screen', () => {
  it('[P4.4] the calm screen of a program says to hang up and whom to call in under 60 words; it does not say "safe" or "over", and offers no pause', async () => {
    const { server, test } = await linked();
    server.setPolicy({ relatives: [longest('B'), longest('C'), longest('D'), longest('E'), longest('F')] });
    await until('the policy', () => server.policy_in_force === 2);
    await stop(test);
    const browser = await browserOf(test);
    const page = await browser.page();
    expect(beforeFold(page)).toMatch(/^We stopped what looks like AnyDesk Hang up the phone\./);
    expect(beforeFold(page)).toContain(`Call ${longest('B')} or ${longest('C')}`);
    expect(beforeFold(page).split(' ').length).toBeLessThan(60);
    expect(textOf(page)).toContain('Is it over? Not while someone is on the phone with you. Hang up first.');
    expect(textOf(page)).not.toMatch(/You are safe|You can close|Pause protection/);
    expect(await browser.page('settings')).toContain('<a href="pause">Pause protection</a>');
    const pause = { minutes: '10', pin: testPin, understood: 'yes' };
    expect((await browser.press('pause', pause)).text).toContain('The Admin PIN alone isn’t enough right now');
    await incidentIsOver(server, test);
    expect((await browser.press('pause', pause)).text).toContain('Protection is paused');
  });

  it('[P15.4] once the server ends the incident, the window is calm again; another policy ends nothing', async () => {
    const { server, test } = await linked();
    await stop(test);
    const browser = await browserOf(test);
    server.setPolicy({ lock: true });
    await until('the lock', () => server.policy_in_force === 2);
    server.setPolicy({ relatives: ['Bob'] });
    await until('the policy', () => server.policy_in_force === 3);
    expect(beforeFold(await browser.page())).toMatch(/^We stopped what looks like AnyDesk/);
    server.setPolicy({ lock: false });
    await until('the calm window', async () => !(await browser.page()).includes('AnyDesk'));
    expect(await browser.page()).toContain('<a href="pause">Pause protection</a>');
    await stop(test);
    expect(beforeFold(await browser.page())).toMatch(/^We stopped what looks like AnyDesk/);
  });

  it('[P15.4] so it is when the incident was opened and ended before this computer heard of it', async () => {
    const { server, test } = await linked();
    await stop(test);
    const browser = await browserOf(test);
    expect(beforeFold(await browser.page())).toMatch(/^We stopped what looks like AnyDesk/);
    await until('the report', () => server.detections.size === 1);
    await incidentIsOver(server, test);
    await until('the calm window', async () => !(await browser.page()).includes('AnyDesk'));
  });

  it('without an incident the first page offers a pause', async () => {
    const { test } = await linked();
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('<a href="pause">Pause protection</a>');
    expect(await browser.page('settings')).not.toContain('<a href="pause">');
    await stop(test);
    expect(await browser.page()).not.toContain('<a href="pause">');
    advanceTime(test, 24 * 60 * 60_000);
    expect(await browser.page()).toContain('<a href="pause">Pause protection</a>');
  });

  it('the calm screen says to turn the computer off for remote control that was not stopped, and to close any other program', async () => {
    const { server, test } = await linked();
    server.setPolicy({ actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' } });
    await until('the policy', () => server.policy_in_force === 2);
    const browser = await browserOf(test);
    test.os.start({ name: 'Reimage.exe', program: { os: 'windows', name: 'Reimage.exe' } });
    await until('the other program', async () => (await browser.page()).includes('We did not stop'));
    expect(beforeFold(await browser.page())).toMatch(/^We did not stop \S.* Close it now\./);
    test.os.start({ name: 'anydesk' });
    await until('the program', async () => (await browser.page()).includes('We did not stop what looks like AnyDesk'));
    const page = await browser.page();
    expect(beforeFold(page)).toMatch(
      /Turn this computer off now\. Hold the power button until the screen goes dark\. Then hang up the phone\./,
    );
    expect(beforeFold(page).split(' ').length).toBeLessThan(60);
    expect(textOf(page)).toContain('Is it over? No.');
    expect(page).not.toContain('fill="var(--lamp)"');
  });

  it('people are named as notified only once the server confirmed it, and then the agent stops asking', async () => {
    const { server, test } = await linked();
    server.setPolicy({ relatives: ['Bob', 'Carol'] });
    await until('the policy', () => server.policy_in_force === 2);
    const browser = await browserOf(test);
    await stop(test);
    await until('the question', () => server.asks.flat().length > 1);
    const [uuid] = server.asks.flat();
    expect([...server.detections.keys()]).toEqual([uuid]);
    expect(await browser.page()).not.toMatch(/We (told|wrote|are trying)|(?<!ask )Bob and Carol/);
    server.notified = [
      { name: null, state: 'sent' },
      { name: 'Bob', state: 'sent' },
      { name: 'Carol', state: 'waiting' },
    ];
    await until('one name', async () => (await browser.page()).includes('We wrote to Bob.'));
    server.notified = server.notified.map((person) => ({ ...person, state: 'sent' }));
    await until('both names', async () => (await browser.page()).includes('We wrote to Bob and Carol.'));
    const askCount = server.asks.length;
    await server.down();
    await until('the silence', () => test.logLines.some((sentence) => sentence.startsWith('The server cannot be reached')));
    await server.listen();
    server.setPolicy({});
    await until('another check-in', () => server.asks.length > askCount);
    expect(server.asks.at(-1)).toEqual([]);
  });

  it('offline the screen names who will be notified, and nobody without a guardian', async () => {
    for (const [relatives, sentence] of [
      [['Bob'], 'We’ll write to Bob as soon as there is a connection.'],
      [[], ''],
    ] as const) {
      const { server, test } = await linked();
      server.setPolicy({ relatives: [...relatives] });
      await until('the policy', () => server.policy_in_force === 2);
      await server.down();
      advanceTime(test, 1000);
      await stop(test);
      const page = textOf(await (await browserOf(test)).page());
      expect(page).toContain(sentence);
      if (!sentence) expect(page).not.toMatch(/We(’ll write to .+ as soon| wrote)/);
    }
  });

  it('the pages for a pause and for removal name beforehand who will be notified', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    const bothPages = async () => textOf((await browser.page('pause')) + (await browser.page('uninstall')));
    expect((await bothPages()).match(/We’ll write to Anna\./g)).toHaveLength(2);
    server.setPolicy({ relatives: [] });
    await until('the policy', () => server.policy_in_force === 2);
    expect((await bothPages()).match(/We’ll write to Carol\./g)).toHaveLength(2);
    expect(await bothPages()).not.toMatch(/family|We’ll tell/);
  });

  it('[P10.5] while the PIN alone is not enough the page about removal says so, and whom to call for a code; once it is over, the PIN', async () => {
    const { server, test } = await linked();
    server.setPolicy({ relatives: ['Bob'] });
    await until('the policy', () => server.policy_in_force === 2);
    const browser = await browserOf(test);
    const removal = async () => textOf(await browser.page('uninstall'));
    const byPin = 'It asks for the Admin PIN.';
    const byCode =
      'The Admin PIN alone isn’t enough right now, because something was just stopped here. Call Bob: they can end this, or read you a code.';
    expect(await removal()).toContain(byPin);
    await stop(test);
    expect(await removal()).toContain(byCode);
    expect(await removal()).not.toMatch(/It asks for the Admin PIN|If the PIN is lost/);
    expect(await removal()).toContain('Your internet settings go back to normal');
    await incidentIsOver(server, test);
    expect(await removal()).toContain(byPin);
    expect(await removal()).not.toContain(byCode);
  });

  it('a page that asks for the PIN warns against giving it to anybody', async () => {
    const { test } = await linked();
    const browser = await browserOf(test);
    for (const name of ['pause', 'other', 'uninstall', '']) {
      const page = textOf(await browser.page(name));
      expect(page).toContain('Nobody from Porchlight will ever ask you to tell them your password or PIN.');
      expect(page).not.toContain('never asks for');
    }
  });
});
