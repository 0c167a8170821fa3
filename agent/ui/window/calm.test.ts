import { describe, expect, it } from 'vitest';
import { ended, linked, type TestAgent } from '../../testing/agent.ts';
import { browserOf, timePasses } from '../../testing/browser.ts';
import { testPin } from '../../testing/server.ts';
import { until } from '../../testing/until.ts';

/** What the calm screen says while the scammer may still be on the phone, and who it says was told. */

const textOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<svg.*?<\/svg>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
/** Ends AnyDesk, and waits until the screen is opened for it. */
async function stop(test: TestAgent) {
  const before = test.os.opened.length;
  await ended(test, test.os.start({ name: 'anydesk' }));
  await until('the window', () => test.os.opened.length > before);
}
/** What is seen before anything is opened. */
const beforeFold = (page: string) => textOf(/<main>(.*?)<details>/s.exec(page)?.[1] ?? '');
const longest = (letter: string) => `${letter}${'a'.repeat(29)}`;

describe('the calm screen', () => {
  it('[P4.4] of a program says to hang up and whom to call in under 60 words; it calls nobody safe, nothing over, and offers no pause', async () => {
    const { server, test } = await linked();
    server.setPolicy({ family: [longest('B'), longest('C'), longest('D'), longest('E'), longest('F')] });
    await until('the policy', () => server.policy_in_force === 2);
    await stop(test);
    const browser = await browserOf(test);
    const page = await browser.page();
    expect(beforeFold(page)).toMatch(/^We stopped what looks like AnyDesk Hang up the phone\./);
    expect(beforeFold(page)).toContain(`Call ${longest('B')} or ${longest('C')}`);
    expect(beforeFold(page).split(' ').length).toBeLessThan(60);
    expect(textOf(page)).toContain('Is it over? Not while someone is on the phone with you. Hang up first.');
    expect(textOf(page)).not.toMatch(/You are safe|Pause protection/);
    // Whoever needs it all the same finds it one page further.
    expect(await browser.page('settings')).toContain('<a href="pause">Pause protection</a>');
    await browser.press('pause', { minutes: '10', pin: testPin, understood: 'yes' });
    expect(await browser.page()).toContain('Protection is paused');
  });

  it('without an incident the first page offers a pause', async () => {
    const { test } = await linked();
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('<a href="pause">Pause protection</a>');
    expect(await browser.page('settings')).not.toContain('<a href="pause">');
    await stop(test);
    expect(await browser.page()).not.toContain('<a href="pause">');
    timePasses(test, 24 * 60 * 60_000);
    expect(await browser.page()).toContain('<a href="pause">Pause protection</a>');
  });

  it('of remote control that was not stopped says to turn the computer off; of another program to close it', async () => {
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

  it('people are named as notified only once the server confirmed it, and polling stops then', async () => {
    const { server, test } = await linked();
    server.setPolicy({ family: ['Bob', 'Carol'] });
    await until('the policy', () => server.policy_in_force === 2);
    const browser = await browserOf(test);
    await stop(test);
    await until('the question', () => server.asks.flat().length > 1);
    const [uuid] = server.asks.flat();
    expect([...server.detections.keys()]).toEqual([uuid]);
    expect(await browser.page()).not.toMatch(/We (told|wrote|are trying)|Bob and Carol(?! know)/);
    server.tells = [
      { name: null, state: 'sent' },
      { name: 'Bob', state: 'sent' },
      { name: 'Carol', state: 'waiting' },
    ];
    await until('one name', async () => (await browser.page()).includes('We told Bob.'));
    server.tells = server.tells.map((told) => ({ ...told, state: 'sent' }));
    await until('both names', async () => (await browser.page()).includes('We told Bob and Carol.'));
    const asked = server.asks.length;
    await server.down();
    await until('the silence', () => test.said.some((sentence) => sentence.startsWith('The server cannot be reached')));
    await server.listen();
    server.setPolicy({});
    await until('another check-in', () => server.asks.length > asked);
    expect(server.asks.at(-1)).toEqual([]);
  });

  it('offline the screen names who will be notified, and nobody without a guardian', async () => {
    for (const [family, sentence] of [
      [['Bob'], 'We will tell Bob as soon as there is a connection.'],
      [[], ''],
    ] as const) {
      const { server, test } = await linked();
      server.setPolicy({ family: [...family] });
      await until('the policy', () => server.policy_in_force === 2);
      await server.down();
      timePasses(test, 1000);
      await stop(test);
      const page = textOf(await (await browserOf(test)).page());
      expect(page).toContain(sentence);
      if (!sentence) expect(page).not.toMatch(/We (told|wrote|will tell)/);
    }
  });

  it('pause and removal pages name who will be notified first', async () => {
    const { server, test } = await linked();
    const browser = await browserOf(test);
    const both = async () => textOf((await browser.page('pause')) + (await browser.page('uninstall')));
    expect((await both()).match(/We’ll tell Anna\./g)).toHaveLength(2);
    server.setPolicy({ family: [] });
    await until('the policy', () => server.policy_in_force === 2);
    expect((await both()).match(/We’ll email Carol\./g)).toHaveLength(2);
    expect(await both()).not.toMatch(/family|We’ll tell/);
  });

  it('a page that asks for the PIN warns against telling it to anybody', async () => {
    const { test } = await linked();
    const browser = await browserOf(test);
    for (const name of ['pause', 'other', 'uninstall', '']) {
      const page = textOf(await browser.page(name));
      expect(page).toContain('Nobody from Porchlight will ever ask you to tell them your PIN or password.');
      expect(page).not.toContain('never asks for');
    }
  });
});
