import { hour } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { agentForTest, ended, incidentIsOver, linked } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { expectLocked, four, linkedWithCodes, passed, restarted } from '../testing/locks.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

describe('[P9.5] I need help now', () => {
  it('one press ends what is on the list although it is allowed, and shows four lines; the report opens the incident', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    const allowed = test.os.start({ name: 'anydesk' });
    const harmless = test.os.start({ name: 'gedit' });
    const browser = await browserOf(test);
    expect([...test.os.running]).toContain(allowed);
    const { text } = await browser.press('help');
    for (const line of ['Hang up the phone.', 'Turn the screen off.', 'Call the bank.', 'We are trying to reach Anna.'])
      expect(text).toContain(line);
    await ended(test, allowed);
    expect([...test.os.running]).toContain(harmless);
    await until('the event', () => server.events.some(({ reported }) => reported.kind === 'help'));
    await expectLocked(test, ['pause']);
    const again = await restarted(server, test);
    await ended(again, again.os.start({ name: 'anydesk' }));
    await incidentIsOver(server, again);
    const later = again.os.start({ name: 'anydesk' });
    await until('a round', () => server.policy_in_force === server.policy.version);
    expect([...again.os.running]).toContain(later);
  });

  it('a pause ends with it, and after an hour without a server the allow list is in force again', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    const browser = await browserOf(test);
    expect(await four.pause(test, browser, testPin)).toContain(passed.pause);
    await server.down();
    await browser.press('help');
    expect(await browser.page()).not.toContain(passed.pause);
    await ended(test, test.os.start({ name: 'anydesk' }));
    test.clock.up += hour + 1000;
    expect(test.clock.up).toBeGreaterThan(hour);
    const later = test.os.start({ name: 'anydesk' });
    await until('a look at it', () => test.os.running.has(later));
    expect([...test.os.running]).toContain(later);
  });

  it('on a computer without an account it shows the lines, and reports nothing', async () => {
    const { server } = await linked();
    const free = await agentForTest(server, { freeAgent: true });
    await until('the free plan', () => free.logLines.some((line) => line.includes('with the free plan')));
    expect((await (await browserOf(free)).press('help')).text).toContain('Call someone you trust.');
    expect(server.events).toEqual([]);
  });
});
