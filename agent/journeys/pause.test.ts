import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { openStore } from '../state/store.ts';
import { agentForTest, ended, incidentIsOver, linked, type TestAgent } from '../testing/agent.ts';
import { type Browser, browserOf } from '../testing/browser.ts';
import { pinHashFor } from '../testing/pin-hash.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

function advanceTime({ clock }: TestAgent, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
}
const setClock = ({ clock }: TestAgent, by: number) => void (clock.now = new Date(clock.now.getTime() + by));
const pause = (browser: Browser, minutes = '10', pin = testPin) => browser.press('pause', { minutes, pin, understood: 'yes' });
const runs = (test: TestAgent, { pid }: { pid: number }) => [...test.os.running].some((process) => process.pid === pid);

async function atTheComputer(): Promise<{ server: TestServer; test: TestAgent; browser: Browser }> {
  const { server, test } = await linked();
  return { server, test, browser: await browserOf(test) };
}
async function restarted(server: TestServer, test: TestAgent, offMs: number): Promise<TestAgent> {
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + offMs), up: 30_000, boot: `after ${test.clock.boot}` };
  return agentForTest(server, { os: test.os, folder: test.folder, clock });
}
const inForce = async (server: TestServer, test: TestAgent) => {
  await until('the policy', async () => (await test.store.policy())?.version === 2);
  const polls = () => server.polls();
  const pollsBefore = polls();
  await until('the next poll', () => polls() > pollsBefore);
};
const protects = async (test: TestAgent) => {
  await ended(test, test.os.start({ name: 'anydesk' }));
};

describe('[P4.6] a pause', () => {
  it('a pause needs the PIN and the ticked box', async () => {
    const { server, test, browser } = await atTheComputer();
    expect((await pause(browser, '10', '000000')).text).toContain('That is not the PIN. You can try 4 more times.');
    expect((await browser.press('pause', { minutes: '10', pin: testPin })).text).toContain('Check the box');
    for (const minutes of ['', '0', '-1', '61', '10.5', '1e9', 'Infinity']) {
      expect((await pause(browser, minutes)).text).toContain('Choose for how long.');
    }
    await protects(test);
    expect(server.events).toEqual([]);
    await incidentIsOver(server, test);
    expect((await pause(browser)).text).toContain('Protection is paused');
  });

  it('a paused agent stops nothing, reports start and length of the pause, shows the time left, and resumes on time', async () => {
    const { server, test, browser } = await atTheComputer();
    const startedAt = test.clock.now.getTime();
    await pause(browser);
    const program = test.os.start({ name: 'anydesk' });
    await until('the event', () => server.events.length > 0);
    expect(server.events).toMatchObject([{ reported: { kind: 'paused', until: new Date(startedAt + 10 * minute).toISOString() } }]);
    advanceTime(test, 4 * minute + 30_000);
    const page = await browser.page();
    expect(page).toContain('5:30');
    expect(page).toContain('Protection turns back on in 6 minutes.');
    expect(page).toContain('<noscript><meta http-equiv="refresh"');
    expect(runs(test, program)).toBe(true);
    advanceTime(test, 5 * minute + 30_000);
    await ended(test, program);
    await until('the calm screen', async () => (await browser.page()).includes('We stopped'));
    expect(test.logLines).toContain('The pause is over. Protection is on again.');
    await until('the report', () => server.sent.length > 0);
    expect(server.events).toHaveLength(1);
  });

  it('a pause ends when the user resumes, and the end is reported', async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser, '60');
    const program = test.os.start({ name: 'anydesk' });
    await browser.press('resume');
    await ended(test, program);
    await until('both', () => server.events.length === 2);
    expect(server.events.map(({ reported }) => reported.kind)).toEqual(['paused', 'resumed']);
  });

  it.each([
    ['back', -24 * 60 * minute],
    ['forward', 24 * 60 * minute],
  ])('a pause is not extended by a clock that is set %s', async (_way, shiftMs) => {
    const { test, browser } = await atTheComputer();
    await pause(browser);
    const program = test.os.start({ name: 'anydesk' });
    setClock(test, shiftMs);
    test.clock.up += 10 * minute;
    await ended(test, program);
  });

  it('a pause continues after the computer was off for part of it, and is over after the computer was off for the rest', async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser);
    advanceTime(test, 2 * minute);
    const secondAgent = await restarted(server, test, 3 * minute);
    const program = secondAgent.os.start({ name: 'anydesk' });
    expect(await (await browserOf(secondAgent)).page()).toContain('5:00');
    expect(runs(secondAgent, program)).toBe(true);
    const thirdAgent = await restarted(server, secondAgent, 5 * minute);
    await ended(thirdAgent, program);
  });

  it('a pause that ends during the start is over, and the start completes', async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser, '1');
    await test.close();
    const store = await openStore(test.folder, () => {});
    const logLines: string[] = [];
    const isOver = async () => {
      advanceTime(test, minute);
      await until('the end of the pause', () => logLines.includes('The pause is over. Protection is on again.'));
      return store.notice();
    };
    let first = true;
    const secondAgent = await agentForTest(server, {
      ...{ os: test.os, folder: test.folder, clock: test.clock, log: (sentence: string) => void logLines.push(sentence) },
      store: {
        ...store,
        notice() {
          if (!first) return store.notice();
          first = false;
          return isOver();
        },
      },
    });
    await protects(secondAgent);
  });

  it('a pause is over when the computer restarts with its clock set back', async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser, '60');
    const program = test.os.start({ name: 'anydesk' });
    const secondAgent = await restarted(server, test, -minute);
    await ended(secondAgent, program);
  });

  it('offline pauses are reported in order once the server is reachable', async () => {
    const { server, test, browser } = await atTheComputer();
    await server.down();
    await pause(browser, '1');
    await browser.press('resume');
    advanceTime(test, 5 * minute);
    await test.close();
    await server.listen();
    await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    await until('both', () => server.events.length === 2);
    expect(server.events.map(({ reported }) => reported.kind)).toEqual(['paused', 'resumed']);
    await until('the disk to be empty', async () => (await test.store.pendingEvents()).length === 0);
  });

  it('a pause of one device does not apply to the next device on this computer', async () => {
    const { server, test, browser } = await atTheComputer();
    await pause(browser, '60');
    const program = test.os.start({ name: 'anydesk' });
    server.setMood('removed');
    await ended(test, program);
  });
});

describe('[P2.6] the PIN', () => {
  it('five wrong PINs lock PIN entry for 15 minutes, which neither clock nor restart shortens, and the lock is reported', async () => {
    const { server, test, browser } = await atTheComputer();
    for (const attemptsLeft of [4, 3, 2])
      expect((await pause(browser, '1', '000000')).text).toContain(`You can try ${attemptsLeft} more times.`);
    expect((await pause(browser, '1', '000000')).text).toContain('You can try once more.');
    expect((await pause(browser, '1', '000000')).text).toContain('You can try again in 15 minutes.');
    await until('the event', () => server.events.length > 0);
    expect(server.events).toMatchObject([{ reported: { kind: 'pin_guessed' } }]);
    setClock(test, 365 * 24 * 60 * minute);
    expect((await pause(browser)).text).toContain('You can try again in 15 minutes.');
    setClock(test, -2 * 365 * 24 * 60 * minute);
    advanceTime(test, 14 * minute);
    expect((await pause(browser)).text).toContain('You can try again in 1 minute.');
    const secondAgent = await restarted(server, test, 24 * 60 * minute);
    const secondBrowser = await browserOf(secondAgent);
    expect((await pause(secondBrowser)).text).toMatch(/You can try again in \d+ minute/);
    advanceTime(secondAgent, 15 * minute);
    expect((await pause(secondBrowser)).text).toContain('Protection is paused');
  });

  it('a second PIN lock is twice as long, and a right PIN resets the length', async () => {
    const { test, browser } = await atTheComputer();
    const guess = async () => {
      let text = '';
      for (let n = 0; n < 5; n++) ({ text } = await pause(browser, '1', '000000'));
      return text;
    };
    expect(await guess()).toContain('again in 15 minutes');
    advanceTime(test, 15 * minute);
    expect(await guess()).toContain('again in 30 minutes');
    advanceTime(test, 30 * minute);
    await pause(browser, '1');
    await browser.press('resume');
    expect(await guess()).toContain('again in 15 minutes');
  });

  it('simultaneous PIN attempts are counted one by one', async () => {
    const { browser } = await atTheComputer();
    const answers = await Promise.all(Array.from({ length: 8 }, () => pause(browser, '1', '000000')));
    expect(answers.every(({ text }) => !text.includes('Protection is paused'))).toBe(true);
    expect((await pause(browser, '1')).text).toContain('Too many wrong PINs');
  });

  it('a PIN attempt is counted before it is checked, so that killing the agent does not undo the count', async () => {
    const { server, test, browser } = await atTheComputer();
    for (let n = 0; n < 3; n++) await pause(browser, '1', '000000');
    await test.close();
    const secondAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    expect((await pause(await browserOf(secondAgent), '1', '000000')).text).toContain('You can try once more.');
  });

  it('a reset PIN counts at once, and spaces in it are ignored', async () => {
    const { server, test, browser } = await atTheComputer();
    server.setPolicy({ pin: pinHashFor('302 918'.replace(' ', '')) });
    await inForce(server, test);
    expect((await pause(browser)).text).toContain('That is not the PIN.');
    expect((await pause(browser, '1', ' 302 918 ')).text).toContain('Protection is paused');
  });

  it('A11: without a local hash the server checks the PIN, agent and server count the attempt, and offline the window says that the PIN cannot be checked', async () => {
    const { server, test, browser } = await atTheComputer();
    server.setPolicy({ pin: null });
    await inForce(server, test);
    expect((await pause(browser, '1', '')).text).toContain('That is not the PIN. You can try 4 more times.');
    expect((await pause(browser, '1', 'null')).text).toContain('You can try 3 more times.');
    expect(server.asked).toEqual(['null']);
    await server.down();
    for (let n = 0; n < 7; n++)
      expect((await pause(browser, '1')).text).toContain('This computer is new, so our server has to check the PIN');
    expect(await test.store.pinTries()).toMatchObject({ wrong: 2, locks: 0 });
    await server.listen();
    expect((await pause(browser, '1')).text).toContain('Protection is paused');
    await browser.press('resume');
    while (server.asked.length < serverLimits.pin_tries) server.asked.push('1');
    expect((await pause(browser, '1')).text).toContain('Wait 15 minutes and try again.');
  });

  it('A11: a PIN is checked offline once the device has the hash', async () => {
    const { server, test, browser } = await atTheComputer();
    server.setPolicy({ pin: null });
    await inForce(server, test);
    server.setPolicy({ pin: pinHashFor(testPin) });
    await until('the hash', async () => (await test.store.policy())?.pin);
    await server.down();
    await until('it to be in force', async () => (await pause(browser, '1')).text.includes('Protection is paused'));
    expect(server.asked).toEqual([]);
  });
});

describe('[P9.1] a pause with a PIN that was shown within a day', () => {
  const pausedAfter = async (pin_shown: boolean) => {
    const { server, test, browser } = await atTheComputer();
    server.setPolicy({ pin_shown });
    await inForce(server, test);
    expect((await pause(browser)).text).toContain('Protection is paused');
    return { server, test };
  };

  it('ends when a remote-control program starts, which ends and is reported, and not when another program starts', async () => {
    const { server, test } = await pausedAfter(true);
    const other = test.os.start({ name: 'Reimage.exe', program: { os: 'windows', name: 'Reimage.exe' } });
    await until('the pause to be reported', () => server.events.length > 0);
    expect(runs(test, other)).toBe(true);
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the end of the pause to be reported', () => server.events.length > 1);
    expect(server.events).toMatchObject([{ reported: { kind: 'paused' } }, { reported: { kind: 'resumed' } }]);
    const reported = () => [...server.detections.values()].filter(({ identifier }) => identifier === 'anydesk');
    await until('the detection', () => reported().length > 0);
    expect(reported()).toMatchObject([{ blocked: true }]);
  });

  it('goes on after a restart of the agent as cautiously as before', async () => {
    const { server, test } = await pausedAfter(true);
    const again = await restarted(server, test, minute);
    await ended(again, again.os.start({ name: 'anydesk' }));
  });

  it('goes on where the PIN was not shown', async () => {
    const { server, test } = await pausedAfter(false);
    const program = test.os.start({ name: 'anydesk' });
    await until('the pause to be reported', () => server.events.length > 0);
    expect(runs(test, program)).toBe(true);
    expect(server.events).toHaveLength(1);
  });
});
