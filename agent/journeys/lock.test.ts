import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type CodePurpose, windowOf } from '@porchlight/contract/one-time-codes.ts';
import { oneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import { describe, expect, it } from 'vitest';
import { uninstallCommand, uninstallExit } from '../cli/uninstall.ts';
import { openStore } from '../state/store.ts';
import { agentForTest, ended, incidentIsOver, linked, serverForTest, type TestAgent, temporaryFolder } from '../testing/agent.ts';
import { advanceTime, type Browser, browserOf, connect, sayYes } from '../testing/browser.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const [minute, hour] = [60_000, 3_600_000];
const notEnough = 'The Admin PIN alone isn’t enough right now';
const mallory = { first_name: 'Mallory', masked_email: 'm•••@scam.example' };

/** A linked computer with the secret of its codes. */
async function linkedWithCodes() {
  const { server, test } = await linked();
  server.holders.set('MALL-MALL', mallory);
  server.setPolicy({ code_secret: server.code_secret.id });
  await until('the secret', async () => (await test.store.codeSecret())?.id === server.code_secret.id);
  await until('the next poll', () => server.policy_in_force === server.policy.version);
  return { server, test };
}
const restarted = async (server: TestServer, test: TestAgent, up = 30_000): Promise<TestAgent> => {
  await test.close();
  return agentForTest(server, { os: test.os, folder: test.folder, clock: { ...test.clock, up, boot: `after ${test.clock.boot}` } });
};
const stopAnyDesk = async (test: TestAgent) => {
  const stops = () => test.logLines.filter((line) => line.startsWith('Stopped')).length;
  const before = stops();
  await ended(test, test.os.start({ name: 'anydesk' }));
  await until('the report', () => stops() > before);
};
const codeOf = (server: TestServer, test: TestAgent, purpose: CodePurpose, program = '', number = 0) =>
  oneTimeCode(server.code_secret.secret, { device: server.device, purpose, program }, windowOf(test.clock.now.getTime()), number);

/** The four things that need more than the PIN while the lock is in force, and what a person sees. */
const four = {
  pause: async (_test: TestAgent, browser: Browser, typed: string) =>
    (await browser.press('pause', { minutes: '10', pin: typed, understood: 'yes' })).text,
  uninstall: async (test: TestAgent, _browser: Browser, typed: string) => {
    const logLines: string[] = [];
    const exit = await uninstallCommand(['--uninstall'], async () => ({
      store: await openStore(test.folder),
      server: 'http://127.0.0.1:9',
      readClock: () => ({ wall: test.clock.now.getTime(), up: test.clock.up, boot: test.clock.boot }),
      pin: async () => typed,
      restoreDns: async () => true,
      restoreBrowsers: async () => [],
      restoreNetwork: async () => [],
      log: (sentence) => void logLines.push(sentence),
    }));
    return exit === uninstallExit.done ? 'may be uninstalled' : logLines.join(' ');
  },
  restore: async (_test: TestAgent, browser: Browser, typed: string) => (await browser.press('found', { entry: 'none', pin: typed })).text,
  link: async (test: TestAgent, browser: Browser, typed: string) => {
    if (!(await browser.page()).includes('Should this computer belong to')) await browser.press('other', { code: 'MALL-MALL' });
    return (await sayYes(test, browser, { pin: typed })).text;
  },
} as const;
const passed = {
  pause: 'Protection is paused',
  uninstall: 'may be uninstalled',
  restore: 'We could not put it back',
  link: 'Connected.',
} as const;
type Weakening = keyof typeof four;
const all: Weakening[] = ['pause', 'uninstall', 'restore', 'link'];

async function expectLocked(test: TestAgent, which = all): Promise<void> {
  const browser = await browserOf(test);
  for (const name of which) expect(await four[name](test, browser, testPin), name).toContain(notEnough);
}
const pinPauses = async (test: TestAgent) => four.pause(test, await browserOf(test), testPin);

describe('[P10.5] the lock', () => {
  it('while the policy says that an incident is open, the PIN alone does none of the four, also without a server', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ lock: true });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    await expectLocked(test);
    await server.down();
    await expectLocked(test, ['pause', 'uninstall', 'restore']);
    expect(server.events).toEqual([]);
  });

  it('without an incident the PIN is enough, with the server away too', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    advanceTime(test, 30 * hour);
    expect(await pinPauses(test)).toContain(passed.pause);
    expect(await four.uninstall(test, await browserOf(test), testPin)).toBe(passed.uninstall);
  });

  it('the server’s word that it is over ends it at once', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ lock: true });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    await expectLocked(test, ['pause']);
    await incidentIsOver(server, test);
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('an incident of the stored policy ends after 24 hours of running time without a server, not by a clock that was set ahead', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ lock: true });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    await server.down();
    test.clock.now = new Date(test.clock.now.getTime() + 90 * 24 * hour);
    await expectLocked(test, ['pause', 'uninstall', 'restore']);
    test.clock.up += 24 * hour - minute;
    await expectLocked(test, ['pause']);
    test.clock.up += minute + 1000;
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('a program that was ended without a server locks for 60 minutes of running time, over a restart and a new boot', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    expect(await four.uninstall(test, await browserOf(test), testPin)).toBe(passed.uninstall);
    await stopAnyDesk(test);
    await expectLocked(test, ['pause', 'uninstall', 'restore']);
    const again = await restarted(server, test);
    await expectLocked(again, ['pause', 'uninstall', 'restore']);
    again.clock.up += 58 * minute;
    await expectLocked(again, ['pause']);
    again.clock.up += 2 * minute + 1000;
    expect(await pinPauses(again)).toContain(passed.pause);
  });

  it('a program that starts again and again without a server locks for 24 hours in all, not longer', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    await stopAnyDesk(test);
    for (let hours = 0; hours < 23; hours++) {
      test.clock.up += 59 * minute;
      await stopAnyDesk(test);
    }
    await expectLocked(test, ['pause']);
    test.clock.up += 83 * minute + 1000;
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('with the server there, its word after the report decides, and an answer of before does not', async () => {
    const { server, test } = await linkedWithCodes();
    const { version } = server.policy;
    server.mood = 'failing';
    await stopAnyDesk(test);
    await expectLocked(test, ['pause']);
    // Somebody repeats an answer that the server signed before.
    server.setPolicy({ issued: '2026-01-02T00:00:00.000Z', version: version + 5 });
    server.mood = 'well';
    test.agent.showWindow();
    await until('the reports', () => server.detections.size === 1);
    await until('the policy', () => server.policy_in_force === version + 5);
    await expectLocked(test, ['pause']);
    server.setPolicy({ issued: new Date().toISOString() });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('an agent that was killed before it stored the lock finds the unreported end at its next start', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    const before = await test.store.lockState(server.device);
    if (!before || before === 'lost') throw new Error('there is a state');
    await stopAnyDesk(test);
    await test.close();
    await test.store.setLockState(before);
    const again = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    await expectLocked(again, ['pause', 'uninstall']);
  });

  it('a deleted file counts as locked for 24 hours, or until the server’s word', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    await test.close();
    for (const name of await readdir(test.folder)) if (name.startsWith('lock.json')) await rm(join(test.folder, name));
    const again = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    await expectLocked(again, ['pause', 'uninstall']);
    again.clock.up += 24 * hour + 1000;
    expect(await four.uninstall(again, await browserOf(again), testPin)).toBe(passed.uninstall);
    await rm(join(test.folder, 'lock.json'));
    await rm(join(test.folder, 'lock.json.copy'));
    const third = await restarted(server, again);
    await expectLocked(third, ['pause']);
    await server.listen();
    const fourth = await restarted(server, third);
    await until('the PIN to be enough', async () => (await pinPauses(fourth)).includes(passed.pause));
  });
});

describe('[P10.5] a deleted state folder', () => {
  it('the computer stays in its account, and counts as locked until the server’s word or for 24 hours', async () => {
    const [server, backupFolder] = [await serverForTest(), join(await temporaryFolder(), 'link')];
    const test = await agentForTest(server, { backupFolder });
    await test.linked();
    await server.down();
    await test.close();
    const reopened = async (folder: string, clock = test.clock) => agentForTest(server, { os: test.os, folder, backupFolder, clock });
    const again = await reopened(await temporaryFolder());
    expect((await again.store.identity())?.device.uuid).toBe(server.device);
    await expectLocked(again, ['pause', 'uninstall', 'restore']);
    await again.close();
    await server.listen();
    const third = await reopened(await temporaryFolder());
    await until('the policy', async () => (await third.store.policy()) !== null);
    expect(server.enrolled).toHaveLength(1);
    // The count of wrong PINs was deleted too, which locks PIN entry for a day (A12).
    await until('the lock to be over', async () => (await pinPauses(third)).includes('Too many wrong PINs'));
    third.clock.up += 24 * hour + 1000;
    expect(await pinPauses(third)).toContain(passed.pause);
  });

  it('after a decision to leave, or an uninstall, nothing is restored from the copy', async () => {
    const [server, backupFolder] = [await serverForTest(), join(await temporaryFolder(), 'link')];
    const test = await agentForTest(server, { backupFolder, freeAgent: true });
    await connect(test, 'ABCD-EFGH');
    expect(await readdir(backupFolder)).toEqual(['link.json']);
    expect((await (await browserOf(test)).press('undo')).text).toContain('Undone.');
    await test.close();
    expect(await readdir(backupFolder)).toEqual([]);
    const again = await agentForTest(server, { folder: await temporaryFolder(), backupFolder });
    expect(await again.store.identity()).toBeNull();
    expect(await four.uninstall(again, await browserOf(again), '')).toBe(passed.uninstall);
  });
});

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
    await until('the news', () => server.events.some(({ said }) => said.kind === 'pin_guessed'));
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
    await until('the news', () => server.events.some(({ said }) => said.kind === 'allowed'));
    const allowed = test.os.start({ name: 'anydesk' });
    const other = test.os.start({ name: 'teamviewer' });
    await ended(test, other);
    expect([...test.os.running]).toContain(allowed);
    advanceTime(test, hour + 1000);
    await ended(test, allowed);
  });

  it('without a secret of this computer a code is not checked, and does not count', async () => {
    const { test } = await linked();
    expect(await four.pause(test, await browserOf(test), '12345678')).toContain('This computer doesn’t know any codes yet.');
    expect(await pinPauses(test)).toContain(passed.pause);
  });
});

describe('[P9.5] I need help now', () => {
  it('one press ends what is on the list although it is allowed, and shows four lines; the report opens the incident', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: null }] });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    const allowed = test.os.start({ name: 'anydesk' });
    const harmless = test.os.start({ name: 'gedit' });
    const browser = await browserOf(test);
    expect([...test.os.running]).toContain(allowed);
    const { text } = await browser.press('help');
    for (const line of ['Hang up the phone.', 'Switch the screen off.', 'Call your bank.', 'We are reaching Anna.'])
      expect(text).toContain(line);
    await ended(test, allowed);
    expect([...test.os.running]).toContain(harmless);
    await until('the news', () => server.events.some(({ said }) => said.kind === 'help'));
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
    server.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: null }] });
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

it('a server whose clock went back is asked for its word once in ten seconds, not in a busy loop', async () => {
  const { server, test } = await linkedWithCodes();
  await stopAnyDesk(test);
  await until('the report', () => server.detections.size === 1);
  server.setPolicy({ issued: '2026-01-02T00:00:00.000Z' });
  await until('the policy', () => server.policy_in_force === server.policy.version);
  await until('a poll that does not wait', () => server.waits.includes(0));
  await until('a poll that waits', () => (server.waits.at(-1) ?? 0) > 0);
  await expectLocked(test, ['pause']);
});
