import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from '../world.ts';

/** What the server's own process says of itself, beside what its clients see. */
export interface ServerReadings {
  /** What the process holds, in megabytes; 0 where that cannot be read. */
  memory(): Promise<number>;
  /** Processor time since the process began, in milliseconds; 0 where that cannot be read. */
  processor(): Promise<number>;
  /** How long each call took that was answered with 200, in milliseconds, in the order of the log. */
  answered(): Promise<number[]>;
}

export function readingsOf(world: Pick<World, 'serverPid' | 'dataDir'>): ServerReadings {
  const read = (name: string) => readFile(`/proc/${world.serverPid()}/${name}`, 'utf8').catch(() => '');
  return {
    memory: async () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(await read('status'))?.[1] ?? 0) / 1024),
    async processor() {
      // What follows the name, which may hold anything: the 12th and 13th are hundredths of a second as user and as system.
      const fields = (await read('stat')).replace(/^.*\) /s, '').split(' ');
      return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
    },
    async answered() {
      const log = await readFile(join(world.dataDir, 'logs', 'server.log'), 'utf8');
      const calls = log.split('\n').filter((line) => line.includes('"status":200') && line.includes('"msg":"call"'));
      return calls.map((line) => Number(/"ms":(\d+)/.exec(line)?.[1]));
    },
  };
}
