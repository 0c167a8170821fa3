import { createHash } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { expect, it } from 'vitest';
import { type FakeOs, fakeOs } from '../os/fake/fake.ts';
import { agentForTest, serverForTest, type TestAgent } from '../testing/agent.ts';
import { sitesWithoutSystem } from '../testing/dns-command.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const set = async (server: TestServer, unlisted: Partial<UnlistedPolicy>, lock = false) => {
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, ...unlisted }, lock });
  await until('the policy', () => server.policy_in_force === server.policy.version);
};

async function computer(new_programs: UnlistedPolicy['new_programs'], lock = false) {
  const [server, os] = [await serverForTest(), fakeOs()];
  const test = await agentForTest(server, { os, sites: sitesWithoutSystem });
  await test.linked();
  await set(server, { new_programs }, lock);
  return { server, os, test };
}
const download = (os: FakeOs, name: string, id = name) => {
  os.launched.set(`/home/mum/Downloads/${name}`, {
    file: `/home/mum/Downloads/${name}`,
    id,
    origin: { from: 'internet', host: 'evil.example' },
  });
  return os.start({ name, path: `/home/mum/Downloads/${name}` });
};
const waits = ({ os }: TestAgent, { pid }: { pid: number }) => os.suspended.has(pid) && [...os.running].some((one) => one.pid === pid);
const runs = (os: FakeOs, { pid }: { pid: number }) => [...os.running].some((one) => one.pid === pid);
const reported = (server: TestServer) => [...server.detections.values()];
const counted = (server: TestServer) => server.events.filter(({ reported }) => reported.kind === 'new_program').length;

it('[P12.3] with nothing going on a new program runs and is counted once, however often it starts, also after a restart of the agent', async () => {
  const { server, os, test } = await computer('incident');
  const [first, again] = [download(os, 'setup.sh'), download(os, 'setup.sh')];
  await until('the count', () => counted(server) === 1);
  expect([waits(test, first), waits(test, again), reported(server)]).toEqual([false, false, []]);
  await test.close();
  await agentForTest(server, { os, sites: sitesWithoutSystem, folder: test.folder, clock: test.clock });
  download(os, 'setup.sh');
  download(os, 'other.sh');
  await until('the count of the other', () => counted(server) === 2);
});

it('[P12.3] while an incident is open a new program waits, with its name and where it came from in the report, and a local one runs', async () => {
  const { server, os, test } = await computer('incident', true);
  const [fromInternet, local] = [download(os, 'BankSupport.exe'), os.start({ name: 'calculator' })];
  await until('the report', () => reported(server).length === 1);
  expect([waits(test, fromInternet), waits(test, local)]).toEqual([true, false]);
  expect(reported(server)).toMatchObject([
    { category: 'NewProgram', name: 'BankSupport.exe', details: '/home/mum/Downloads/BankSupport.exe (evil.example)', blocked: true },
  ]);
  expect(counted(server)).toBe(0);
});

it('[P12.3] a program that ran before the incident goes on running in it, also under another name', async () => {
  const { server, os, test } = await computer('incident');
  download(os, 'recipes.AppImage', 'inode-7');
  await until('the count', () => counted(server) === 1);
  await set(server, { new_programs: 'incident' }, true);
  const renamed = download(os, 'cooking.AppImage', 'inode-7');
  const other = download(os, 'new.AppImage', 'inode-8');
  await until('the report of the other', () => reported(server).length === 1);
  expect([waits(test, renamed), waits(test, other)]).toEqual([false, true]);
});

it('[P12.3] a new program that is renamed while it waits is the same question, and a yes is about it alone', async () => {
  const { server, os, test } = await computer('incident', true);
  const first = download(os, 'a.exe', 'inode-1');
  await until('the report', () => reported(server).length === 1);
  const renamed = download(os, 'b.exe', 'inode-1');
  const other = download(os, 'c.exe', 'inode-2');
  await until('all reports', () => reported(server).length === 3);
  const identifierOf = (name: string) => reported(server).find((one) => one.name === name)?.identifier;
  const identifier = identifierOf('a.exe');
  expect([identifierOf('b.exe') === identifier, identifierOf('c.exe') === identifier]).toEqual([true, false]);
  const answers = [{ identifier: identifier ?? '', answer: 'yes' as const, until: new Date(Date.now() + hour).toISOString() }];
  await set(server, { new_programs: 'incident', answers }, true);
  await until('it to go on', () => !waits(test, first));
  expect([waits(test, renamed), waits(test, other)]).toEqual([false, true]);
  // What went on is known, also once the yes is over.
  await set(server, { new_programs: 'incident', answers: [] }, true);
  expect(waits(test, download(os, 'a.exe', 'inode-1'))).toBe(false);
});

const answered = (identifier: string, answer: 'yes' | 'no') => [{ identifier, answer, until: new Date(Date.now() + hour).toISOString() }];

it('[P12.3] a no after a yes ends the program where it runs, also what was started since, ends its next starts, and after it the program waits again', async () => {
  const { server, os, test } = await computer('incident', true);
  const setAnswers = (answers: UnlistedPolicy['answers'], locked = true) => set(server, { new_programs: 'incident', answers }, locked);
  const [bad, good] = [download(os, 'bad.exe'), download(os, 'good.exe')];
  await until('the reports', () => reported(server).length === 2);
  const identifierOf = (name: string) => reported(server).find((one) => one.name === name)?.identifier ?? '';
  await setAnswers([...answered(identifierOf('bad.exe'), 'yes'), ...answered(identifierOf('good.exe'), 'yes')]);
  await until('both to go on', () => ![bad, good].some((one) => waits(test, one)));
  const second = download(os, 'bad.exe');
  expect([runs(os, second), waits(test, second)]).toEqual([true, false]);
  await setAnswers([...answered(identifierOf('bad.exe'), 'no'), ...answered(identifierOf('good.exe'), 'yes')]);
  await until('their end', () => !runs(os, bad) && !runs(os, second));
  expect(runs(os, good)).toBe(true);
  await until('their reports', () => reported(server).length === 4);
  expect(reported(server).every(({ blocked }) => blocked)).toBe(true);
  // A no is a no also once the incident is over.
  await setAnswers(answered(identifierOf('bad.exe'), 'no'), false);
  const third = download(os, 'bad.exe');
  await until('its end', () => !runs(os, third));
  await until('its report', () => reported(server).length === 5);
  // Each is reported once, however often the policy changes.
  await setAnswers(answered(identifierOf('bad.exe'), 'no'));
  await setAnswers([]);
  const [after, known] = [download(os, 'bad.exe'), download(os, 'good.exe')];
  await until('its report', () => reported(server).length === 6);
  expect([waits(test, after), waits(test, known), runs(os, known)]).toEqual([true, false, true]);
});

it('[P12.3] a no that comes after a restart of the agent ends what a yes had let run, and an answer about another program does not', async () => {
  const { server, os, test } = await computer('incident', true);
  const program = download(os, 'bad.exe');
  await until('the report', () => reported(server).length === 1);
  const identifier = reported(server)[0]?.identifier ?? '';
  await set(server, { new_programs: 'incident', answers: answered(identifier, 'yes') }, true);
  await until('it to go on', () => !waits(test, program));
  await test.close();
  await agentForTest(server, { os, sites: sitesWithoutSystem, folder: test.folder, clock: test.clock });
  await set(server, { new_programs: 'incident', answers: answered('program-another', 'no') }, true);
  expect(runs(os, program)).toBe(true);
  await set(server, { new_programs: 'incident', answers: answered(identifier, 'no') }, true);
  await until('its end', () => !runs(os, program));
});

it('[P12.3] where the account chose to count, a former no ends nothing', async () => {
  const { server, os } = await computer('count', true);
  const identifier = `program-${createHash('sha256').update('bad.exe').digest('hex').slice(0, 24)}`;
  await set(server, { new_programs: 'count', answers: answered(identifier, 'no') }, true);
  const program = download(os, 'bad.exe');
  await until('the count', () => counted(server) === 1);
  expect([runs(os, program), reported(server)]).toEqual([true, []]);
});

it('[P12.3] where the account chose always, a new program waits with nothing going on', async () => {
  const { server, os, test } = await computer('always');
  const process = download(os, 'setup.sh');
  await until('the report', () => reported(server).length === 1);
  expect([waits(test, process), counted(server)]).toEqual([true, 0]);
});

it('[P12.3] where the account chose to count, a new program runs also while an incident is open', async () => {
  const { server, os, test } = await computer('count', true);
  const process = download(os, 'setup.sh');
  await until('the count', () => counted(server) === 1);
  expect([waits(test, process), reported(server)]).toEqual([false, []]);
});

it('[P12.3] a new program that is on the list is ended by the list, and asked about only once', async () => {
  const { server, os } = await computer('always');
  const process = download(os, 'anydesk');
  await until('its end', () => ![...os.running].some((one) => one.pid === process.pid));
  await until('the report', () => reported(server).length === 1);
  expect(reported(server)).toMatchObject([{ category: 'RemoteControl', blocked: true }]);
});
