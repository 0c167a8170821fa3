import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './agent.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

export const agentsOn = (folder: string): number[] => {
  const environments = execFileSync('sh', ['-c', `grep -lzs 'AGENT_DATA_DIR=${folder}' /proc/[0-9]*/environ || true`]).toString();
  return [...environments.matchAll(/\/proc\/(\d+)\//g)].map(([, pid]) => Number(pid)).filter((pid) => pid !== process.pid);
};

/** Starts blocked programs until the condition holds; returns how many milliseconds each ran. */
export async function provoke(server: TestServer, isOver: () => boolean): Promise<number[]> {
  const name = `AnyDesk-${randomUUID()}`;
  const file = join(await temporaryFolder(), name);
  await copyFile('/bin/sleep', file);
  const anydeskDefinitions = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
  server.setDefinitions({
    definitions: anydeskDefinitions.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } })),
  });
  const ran: number[] = [];
  while (!isOver() || ran.length < 5) {
    const from = performance.now();
    const child = spawn(file, ['60'], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await until('it to be stopped', () => child.signalCode);
    ran.push(performance.now() - from);
  }
  return ran;
}
