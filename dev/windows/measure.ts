import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import type { Wine } from '../wine.ts';
import { nodeForWindows } from './build.ts';

/**
 * Starts a listed program `times` times from within Windows, independently of the polling interval, each followed by an unlisted program
 * that exits at once. Returns the lifetimes of listed and unlisted programs: milliseconds, sorted.
 */
export async function measureLifetimes(
  wine: Wine,
  file: string,
  program: string[],
  times: number,
): Promise<{ ended: number[]; free: number[] }> {
  // Detached: a child that ends before it is assigned to its parent's job ends the parent as well (libuv).
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
  const { output } = await wine.run(await nodeForWindows(), `Z:${file.replaceAll('/', '\\')}`);
  const lifetimesOf = (name: string) =>
    [...output.matchAll(/^(\w+) ([\d.]+)/gm)]
      .flatMap(([, programName, ms]) => (programName === name ? [Number(ms)] : []))
      .toSorted((a, b) => a - b);
  return { ended: lifetimesOf('ended'), free: lifetimesOf('free') };
}

const medianOf = (sorted: number[]) => ((sorted[Math.ceil(sorted.length / 2) - 1] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;

/** Milliseconds by which the median lifetime exceeds `limit`, or on a slow computer the median of the unlisted program. Logs the values. */
export function tooLong({ ended, free }: { ended: number[]; free: number[] }, limit: number): number {
  const lifetimesText = ended.map((ms) => ms.toFixed(0)).join(', ');
  console.log(
    `Started → dead: ${lifetimesText} ms; median ${medianOf(ended).toFixed(0)} ms. One that nobody ends: ${medianOf(free).toFixed(0)} ms. Load ${loadavg()[0]?.toFixed(1)}.`,
  );
  return medianOf(ended) - Math.max(limit, medianOf(free));
}
