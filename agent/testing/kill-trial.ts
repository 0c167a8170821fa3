import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Run, runAgent } from './process.ts';
import { testServer } from './server.ts';
import { until } from './until.ts';

/**
 * Kills an agent with signal 9 at `rounds` random moments, while listed programs are started and the server comes and goes, and starts it again each
 * time. In the end each program must be gone, the server must have each of them exactly once that the agent said it had stopped, and the agent must
 * still be the device that it was. Answers what went wrong, a sentence each. `folder`: empty, for the state and the programs.
 */
export async function killTrial(folder: string, rounds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const server = await testServer();
  const name = `AnyDesk-${randomUUID()}`;
  const known = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
  const definitions = known.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } }));
  server.setDefinitions({ definitions });
  const file = join(folder, name);
  await copyFile('/bin/sleep', file);
  const state = join(folder, 'state');
  const programs: ChildProcess[] = [];
  const wrong: string[] = [];
  let said = 0;
  let agent: Run = runAgent(server, state, ['--code', 'ABCD-EFGH']);
  try {
    await until('the protection', () => agent.said().includes('Porchlight protects this computer as Laptop.'), 60_000);
    for (let round = 1; round <= rounds; round++) {
      if (round % 3 === 0) await server.down();
      programs.push(spawn(file, ['600'], { stdio: 'ignore' }));
      // At any moment of: seen, ended, on the disk, told, acknowledged, removed from the disk; and of what a start does.
      await sleep(randomInt(0, round % 2 ? 600 : 3000));
      agent.child.kill('SIGKILL');
      await agent.over;
      said += agent.said().split('Stopped AnyDesk.').length - 1;
      if (round % 3 === 0) await server.listen();
      agent = runAgent(server, state);
      log(`${round} of ${rounds}: ${server.detections.size} detections`);
    }
    await until('the last programs to be ended', () => programs.every(({ signalCode }) => signalCode === 'SIGKILL'), 60_000);
    await until('the last start', () => agent.said().includes('Porchlight protects this computer as Laptop.'), 60_000);
    // What it has ended it may still be writing down; what is on the disk is on its way.
    const saidNow = () => said + agent.said().split('Stopped AnyDesk.').length - 1;
    await until('the last reports', () => server.detections.size >= saidNow(), 60_000);
    agent.child.kill('SIGTERM');
    if ((await agent.over) !== 0) wrong.push('The last agent did not end well.');
    said += agent.said().split('Stopped AnyDesk.').length - 1;
    // One that it stopped last of all is on the disk, and the next start tells.
    const pendingNews = async () => (await readdir(join(state, 'detections'))).length > 0;
    if (await pendingNews()) {
      agent = runAgent(server, state);
      await until('what was left', async () => !(await pendingNews()), 60_000);
      agent.child.kill('SIGTERM');
      await agent.over;
    }
    if (server.detections.size < said)
      wrong.push(`It said ${said} times that it had stopped the program, and told of ${server.detections.size}.`);
    if (server.detections.size > programs.length) wrong.push(`${programs.length} programs, and ${server.detections.size} detections.`);
    if (server.enrolled.length !== 1) wrong.push(`It became a device ${server.enrolled.length} times.`);
    return wrong;
  } finally {
    for (const { child } of [agent]) child.kill('SIGKILL');
    for (const program of programs) program.kill('SIGKILL');
    await server.close();
  }
}
