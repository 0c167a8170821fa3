import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Run, runAgent } from './process.ts';
import { testServer } from './server.ts';
import { until } from './until.ts';

/**
 * Kills an agent with SIGKILL at random moments while listed programs start and the server goes up and down. Returns the failures: a
 * program that still runs, a logged stop not reported exactly once, another device. `folder`: empty.
 */
export async function killTrial(folder: string, rounds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const server = await testServer();
  const name = `AnyDesk-${randomUUID()}`;
  const anydeskDefinitions = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
  const definitions = anydeskDefinitions.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } }));
  server.setDefinitions({ definitions });
  const file = join(folder, name);
  await copyFile('/bin/sleep', file);
  const state = join(folder, 'state');
  const programs: ChildProcess[] = [];
  const failures: string[] = [];
  let stops = 0;
  let agent: Run = runAgent(server, state, ['--code', 'ABCD-EFGH']);
  try {
    await until('the protection', () => agent.output().includes('Porchlight protects this computer as Laptop.'), 60_000);
    for (let round = 1; round <= rounds; round++) {
      if (round % 3 === 0) await server.down();
      programs.push(spawn(file, ['600'], { stdio: 'ignore' }));
      await sleep(randomInt(0, round % 2 ? 600 : 3000));
      agent.child.kill('SIGKILL');
      await agent.ended;
      stops += agent.output().split('Stopped AnyDesk.').length - 1;
      if (round % 3 === 0) await server.listen();
      agent = runAgent(server, state);
      log(`${round} of ${rounds}: ${server.detections.size} detections`);
    }
    await until('the last programs to be ended', () => programs.every(({ signalCode }) => signalCode === 'SIGKILL'), 60_000);
    await until('the last start', () => agent.output().includes('Porchlight protects this computer as Laptop.'), 60_000);
    const stopsNow = () => stops + agent.output().split('Stopped AnyDesk.').length - 1;
    await until('the last reports', () => server.detections.size >= stopsNow(), 60_000);
    agent.child.kill('SIGTERM');
    if ((await agent.ended) !== 0) failures.push('The last agent did not end well.');
    stops += agent.output().split('Stopped AnyDesk.').length - 1;
    const isReportPending = async () => (await readdir(join(state, 'detections'))).length > 0;
    if (await isReportPending()) {
      agent = runAgent(server, state);
      await until('what was left', async () => !(await isReportPending()), 60_000);
      agent.child.kill('SIGTERM');
      await agent.ended;
    }
    if (server.detections.size < stops)
      failures.push(`It said ${stops} times that it had stopped the program, and told of ${server.detections.size}.`);
    if (server.detections.size > programs.length) failures.push(`${programs.length} programs, and ${server.detections.size} detections.`);
    if (server.enrolled.length !== 1) failures.push(`It became a device ${server.enrolled.length} times.`);
    return failures;
  } finally {
    for (const { child } of [agent]) child.kill('SIGKILL');
    for (const program of programs) program.kill('SIGKILL');
    await server.close();
  }
}
