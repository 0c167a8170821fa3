import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from '../world.ts';

export interface ServerReadings {
  /** Megabytes; 0 where unreadable. */
  memory(): Promise<number>;
  /** CPU time in milliseconds; 0 where unreadable. */
  processor(): Promise<number>;
  /** Milliseconds for each call answered with 200, in log order. */
  answered(): Promise<number[]>;
}

export function readingsOf(world: Pick<World, 'serverPid' | 'dataDir'>): ServerReadings {
  const read = (name: string) => readFile(`/proc/${world.serverPid()}/${name}`, 'utf8').catch(() => '');
  return {
    memory: async () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(await read('status'))?.[1] ?? 0) / 1024),
    async processor() {
      // The fields after the name, which may contain anything: fields 12 and 13 are user and system time in hundredths of a second.
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
