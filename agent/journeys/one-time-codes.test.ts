import { hour } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { ended, linked } from '../testing/agent.ts';
import { advanceTime, browserOf } from '../testing/browser.ts';
import { all, codeOf, four, linkedWithCodes, passed, pinPauses, stopAnyDesk } from '../testing/locks.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

describe('[P10.7] a code from a guardian’s page', () => {
  it.each(all)('with the server away and the lock in force, it opens %s, once, and nothing else', async (name) => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ lock: true });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    const browser = await browserOf(test);
    const purpose = { pause: 'pause', uninstall: 'uninstall', restore: 'allow', link: 'link' } as const;
    const code = codeOf(server, test, purpose[name]);
    // A link needs the server, to use up the code of the other account.
    if (name !== 'link') await server.down();
    for (const other of all.filter((one) => one !== name && (one !== 'link' || server.url === '')))
      expect(await four[other](test, browser, code), other).toContain('That code doesn’t work');
    expect(await four[name](test, browser, code)).toContain(passed[name]);
    if (name === 'link') return;
    if (name === 'pause') await browser.press('resume');
    expect(await four[name](test, browser, code)).toContain('That code doesn’t work');
  });

  it('wrong codes count as wrong PINs: the fifth locks, and it is reported', async () => {
    const { server, test } = await linkedWithCodes();
    const browser = await browserOf(test);
    expect(await four.pause(test, browser, '000000')).toContain('You can try 4 more times.');
    for (const left of [3, 2]) expect(await four.pause(test, browser, '1234 5678')).toContain(`You can try ${left} more times.`);
    expect(await four.pause(test, browser, '1234-5678')).toContain('You can try once more.');
    expect(await four.pause(test, browser, '12345678')).toContain('Too many wrong PINs');
    await until('the event', () => server.events.some(({ reported }) => reported.kind === 'pin_guessed'));
    expect(await four.pause(test, browser, codeOf(server, test, 'pause'))).toContain('Too many wrong PINs');
  });

  it('a code allows a program for an hour, which is reported, and ends by itself', async () => {
    const { server, test } = await linkedWithCodes();
    await stopAnyDesk(test);
    const browser = await browserOf(test);
    expect(await browser.page()).toContain('Did Anna give you a code?');
    expect((await browser.press('allow', { pin: testPin })).text).toContain('That’s not a code.');
    expect((await browser.press('allow', { pin: codeOf(server, test, 'allow', 'teamviewer') })).text).toContain('That code doesn’t work');
    expect((await browser.press('allow', { pin: codeOf(server, test, 'allow', 'anydesk') })).text).toContain('can run for an hour');
    await until('the event', () => server.events.some(({ reported }) => reported.kind === 'allowed'));
    const allowed = test.os.start({ name: 'anydesk' });
    expect([...test.os.running]).toContain(allowed);
    expect(server.sent.filter(({ blocked }) => !blocked)).toEqual([]);
    advanceTime(test, hour + 1000);
    await ended(test, allowed);
  });

  it('without a secret of this computer a code is not checked, and does not count', async () => {
    const { test } = await linked();
    expect(await four.pause(test, await browserOf(test), '12345678')).toContain('This computer doesn’t know any codes yet.');
    expect(await pinPauses(test)).toContain(passed.pause);
  });
});
