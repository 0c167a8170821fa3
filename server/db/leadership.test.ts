// Tier: whole. It ends connections and waits for the next leader.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, inject, onTestFinished, test } from 'vitest';
import { admin, commonDatabase, withDatabase } from '../testing/global-setup.ts';
import { until } from '../testing/world.ts';
import { type Leadership, leadership } from './leadership.ts';

const url = withDatabase(inject('postgres_url'), commonDatabase);

/** Candidates with one key, and what happened to them in order, such as "0 began". */
function candidates(key: string = randomUUID(), options?: { idle_ms: number }) {
  const events: string[] = [];
  const all: { leadership: Leadership; name: string }[] = [];
  const add = () => {
    const n = all.length;
    const name = `candidate-${randomUUID()}`;
    const named = new URL(url);
    named.searchParams.set('application_name', name);
    const state = { eligible: true };
    const candidate = {
      began: () => void events.push(`${n} began`),
      ended: () => void events.push(`${n} ended`),
      isEligible: () => state.eligible,
    };
    const one = { name, state, leadership: leadership(named.href, key, candidate, options) };
    onTestFinished(() => one.leadership.close());
    all.push(one);
    return one;
  };
  return { add, events, leaders: () => all.filter((one) => one.leadership.isLeader()) };
}

const sessions = (name: string) => admin<{ pid: number }>(url, `select pid from pg_stat_activity where application_name = '${name}'`);
const terminate = (name: string) => admin(url, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`);

test('one of two candidates leads; when its connection is ended by PostgreSQL the other one takes over, and it stays a candidate', async () => {
  const { add, events, leaders } = candidates();
  const first = add();
  await until('the first leader', () => first.leadership.isLeader());
  const second = add();
  await until('the second candidate to be connected', async () => (await sessions(second.name)).length === 1);
  expect(events).toEqual(['0 began']);
  await terminate(first.name);
  await until('the other leader', () => events.length === 3);
  expect(events).toContain('0 ended');
  await until('one leader', () => leaders().length === 1);
  const [leader] = leaders();
  await terminate(leader?.name ?? '');
  await until('one leader again', () => events.length === 5 && leaders().length === 1);
});

test('candidates of other keys lead at the same time', async () => {
  const [one, other] = [candidates().add(), candidates().add()];
  await until('both to lead', () => one.leadership.isLeader() && other.leadership.isLeader());
});

test('a leader that is closed ends, leaves no connection, and the other one takes over', async () => {
  const { add, events } = candidates();
  const first = add();
  await until('the first leader', () => first.leadership.isLeader());
  const second = add();
  await first.leadership.close();
  expect(events).toEqual(['0 began', '0 ended']);
  await until('the other leader', () => second.leadership.isLeader());
  expect(await sessions(first.name)).toEqual([]);
});

test('a candidate that is not eligible does not lead, and a leader that is no longer eligible gives up for the other one', async () => {
  const { add, events } = candidates();
  const first = add();
  first.state.eligible = false;
  const second = add();
  await until('the eligible leader', () => second.leadership.isLeader());
  first.state.eligible = true;
  second.state.eligible = false;
  await until('the other leader', () => first.leadership.isLeader(), 20_000);
  expect(events).toEqual(['1 began', '1 ended', '0 began']);
});

test('a candidate that is closed while PostgreSQL does not answer is closed at once', async () => {
  const nobody = new URL('postgres://127.0.0.1:1/none');
  const one = leadership(nobody.href, 'none', { began: () => {}, ended: () => {}, isEligible: () => true });
  await one.close();
  expect(one.isLeader()).toBe(false);
});

test('the leadership of a process that is frozen passes to another one, and the process notices it when it goes on', async () => {
  const key = randomUUID();
  const script = `
    import { leadership } from ${JSON.stringify(new URL('leadership.ts', import.meta.url).href)};
    const report = (event) => () => console.log(event);
    leadership(${JSON.stringify(url)}, ${JSON.stringify(key)},
      { began: report('began'), ended: report('ended'), isEligible: () => true }, { idle_ms: 2_000 });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  await until('the process to lead', () => output === 'began\n', 30_000);
  const other = candidates(key, { idle_ms: 20_000 }).add();
  child.kill('SIGSTOP');
  await until('the other leader', () => other.leadership.isLeader(), 20_000);
  child.kill('SIGCONT');
  await until('the process to notice', () => output === 'began\nended\n');
  expect(other.leadership.isLeader()).toBe(true);
});
