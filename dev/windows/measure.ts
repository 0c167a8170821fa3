import { writeFile } from 'node:fs/promises';
import type { Wine } from '../wine.ts';
import { nodeForWindows } from './build.ts';

/**
 * Starts a program so many times from within Windows, one after the other, at moments that have nothing to do with those at which it is looked.
 * Answers how long each lived: in milliseconds, sorted.
 */
export async function livesOf(wine: Wine, file: string, program: string[], times: number): Promise<number[]> {
  const script = `
    const { spawn } = require('node:child_process');
    const { setTimeout: sleep } = require('node:timers/promises');
    (async () => {
      for (let n = 0; n < ${times}; n++) {
        await sleep(Math.random() * 250);
        const since = performance.now();
        const child = spawn(${JSON.stringify(program[0])}, ${JSON.stringify(program.slice(1))}, { stdio: 'ignore' });
        await new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
        console.log('lived ' + (performance.now() - since));
      }
    })();`;
  await writeFile(file, script);
  const { said } = await wine.run(await nodeForWindows(), `Z:${file.replaceAll('/', '\\')}`);
  return [...said.matchAll(/^lived ([\d.]+)/gm)].map(([, ms]) => Number(ms)).toSorted((a, b) => a - b);
}
