import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import type { Wine } from '../wine.ts';
import { nodeForWindows } from './build.ts';

/**
 * Starts a program so many times from within Windows, one after the other, at moments that have nothing to do with those at which it is looked; and each
 * time after it one that nobody ends, of the same size, which ends by itself as soon as it runs. Answers how long each of both lived: in
 * milliseconds, sorted.
 */
export async function livesOf(wine: Wine, file: string, program: string[], times: number): Promise<{ ended: number[]; free: number[] }> {
  // Detached: a child that is ended before it is put into the job of its parent takes that one with it (libuv).
  const script = `
    const { spawn } = require('node:child_process');
    const { setTimeout: sleep } = require('node:timers/promises');
    const life = async (name, program, args) => {
      const since = performance.now();
      const child = spawn(program, args, { stdio: 'ignore', detached: true });
      await new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
      console.log(name + ' ' + (performance.now() - since));
    };
    (async () => {
      for (let n = 0; n < ${times}; n++) {
        await sleep(Math.random() * 250);
        await life('ended', ${JSON.stringify(program[0])}, ${JSON.stringify(program.slice(1))});
        await life('free', process.execPath, ['-e', '0']);
      }
    })();`;
  await writeFile(file, script);
  const { said } = await wine.run(await nodeForWindows(), `Z:${file.replaceAll('/', '\\')}`);
  const lives = (name: string) =>
    [...said.matchAll(/^(\w+) ([\d.]+)/gm)].flatMap(([, whose, ms]) => (whose === name ? [Number(ms)] : [])).toSorted((a, b) => a - b);
  return { ended: lives('ended'), free: lives('free') };
}

const middle = (sorted: number[]) => ((sorted[Math.ceil(sorted.length / 2) - 1] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;

/** By how many milliseconds the median of those that were ended is above `limit`, or above that of those that nobody ended where this computer is slower. Says what it saw. */
export function tooLong({ ended, free }: { ended: number[]; free: number[] }, limit: number): number {
  const all = ended.map((ms) => ms.toFixed(0)).join(', ');
  console.log(
    `Started → dead: ${all} ms; median ${middle(ended).toFixed(0)} ms. One that nobody ends: ${middle(free).toFixed(0)} ms. Load ${loadavg()[0]?.toFixed(1)}.`,
  );
  return middle(ended) - Math.max(limit, middle(free));
}
