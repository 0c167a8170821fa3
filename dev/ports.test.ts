import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from './ports.ts';

const draw = (count: number) => Promise.all(Array.from({ length: count }, freePort));

test('a port that one process has drawn is not drawn again, there or by another process, while the first process runs', async () => {
  const ports = fileURLToPath(new URL('./ports.ts', import.meta.url));
  const code = `const { freePort } = await import(${JSON.stringify(ports)});
    console.log((await Promise.all(Array.from({ length: 400 }, freePort))).join(' ')); process.stdin.resume();`;
  const otherProcess = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void otherProcess.kill());
  const [line] = (await once(createInterface(otherProcess.stdout), 'line')) as [string];
  // By chance alone, 400 and 400 of 8,000 ports would share some.
  const drawnPorts = [...line.split(' ').map(Number), ...(await draw(400))];
  expect(new Set(drawnPorts).size).toBe(800);
});

test('a process that has drawn a port ends by itself', async () => {
  const ports = fileURLToPath(new URL('./ports.ts', import.meta.url));
  const code = `const { freePort } = await import(${JSON.stringify(ports)}); await freePort();`;
  const drawing = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
  expect(await once(drawing, 'exit')).toEqual([0, null]);
});
