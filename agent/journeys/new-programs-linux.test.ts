import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linux } from '../os/linux/linux.ts';
import { computer } from '../os/linux/origin/trial-computer.ts';
import { readStat } from '../os/linux/proc.ts';
import { agentForTest, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { run, runningFrom } from '../testing/programs.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('skipped: only root can give the files of a download folder to another person');

const set = async (server: TestServer, unlisted: Partial<UnlistedPolicy>) => {
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, new_programs: 'always', ...unlisted } });
  await until('the policy', () => server.policy_in_force === server.policy.version);
};
const stateOf = (pid: number) => readStat(pid)?.state;

/** A real Linux agent, whose people have their homes in a folder of the test. */
async function household() {
  const [server, people] = [await serverForTest(), await computer(await temporaryFolder())];
  const origin = await people.start();
  const os = { ...linux({ PATH: process.env.PATH }), origin: async () => origin, openWindow: () => true };
  const test = await agentForTest(server, { os });
  await test.linked();
  await set(server, {});
  onTestFinished(() => {
    for (const name of ['Downloads', 'bin'])
      for (const { pid } of runningFrom(join(people.home, name, 'tool'))) process.kill(pid, 'SIGKILL');
  });
  const reported = () => [...server.detections.values()];
  const answer = (answer: 'yes' | 'no') =>
    set(server, {
      answers: [{ identifier: reported()[0]?.identifier ?? '', answer, until: new Date(Date.now() + 3_600_000).toISOString() }],
    });
  return { server, people, reported, answer, refresh: origin.refresh };
}

describe.skipIf(!isRoot)('[P12.3] a downloaded program on a real Linux', () => {
  it('is suspended with what it started, also after it was moved, while a program that was there before runs; a yes lets all of it go on', async () => {
    const { people, reported, answer, refresh } = await household();
    const script = people.text('Downloads/tool', '#!/bin/sh\n/bin/sleep 60 & wait\n');
    await refresh();
    renameSync(script, join(people.home, 'bin/tool'));
    const child = run(join(people.home, 'bin/tool'), []);
    const bystander = run('/bin/sleep', ['60']);
    await until('the report', () => reported().length === 1);
    expect(reported()).toMatchObject([{ category: 'NewProgram', name: 'tool', blocked: true }]);
    await until('its suspension', () => stateOf(child.pid) === 'T');
    expect(stateOf(bystander.pid)).toBe('S');
    await answer('yes');
    await until('it to go on', () => stateOf(child.pid) === 'S');
  });

  it('is ended by a no, with what it started', async () => {
    const { people, reported, answer } = await household();
    const child = run(people.program('Downloads/tool'), ['60']);
    await until('the report', () => reported().length === 1);
    await answer('no');
    await until('its end', () => child.signalCode === 'SIGKILL');
    expect(runningFrom(join(people.home, 'Downloads/tool'))).toEqual([]);
  });
});
