import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { inOwnNamespaces } from './namespaces.ts';
import { openTestFolder } from './ram-disk.ts';

const prefix = inOwnNamespaces();
if (!prefix)
  console.log('This system gives no namespaces (unshare, ip; root or user namespaces): one test of the folder for tests is skipped.');

async function newParent(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'parent-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return parent;
}
const opening = (parent: string) =>
  `import { openTestFolder } from ${JSON.stringify(join(import.meta.dirname, 'ram-disk.ts'))};
  const { folder, close } = await openTestFolder(${JSON.stringify(parent)}); console.log(folder);`;
const nodeArgs = (code: string) => ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code];

test('the folder of a killed test run is removed by the next run, and the folder of a running one stays', async () => {
  const parent = await newParent();
  const running = await openTestFolder(parent);
  const child = spawn(process.execPath, nodeArgs(`${opening(parent)} setInterval(() => {}, 1000);`), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const killedFolder = output.toString().trim();
  expect(existsSync(killedFolder)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = await openTestFolder(parent);
  expect([existsSync(killedFolder), existsSync(running.folder), existsSync(next.folder)]).toEqual([false, true, true]);
  await running.close();
  expect([existsSync(running.folder), existsSync(next.folder)]).toEqual([false, true]);
  await next.close();
});

test.skipIf(!prefix)('a test run in namespaces of its own does not remove the folder of a run that it cannot see', async () => {
  const parent = await newParent();
  const running = await openTestFolder(parent);
  const [command = '', ...args] = prefix ?? [];
  const code = `${opening(parent)} await close();`;
  const { stdout } = await promisify(execFile)(command, [...args, process.execPath, ...nodeArgs(code)]);
  expect(stdout.trim()).not.toBe(running.folder);
  expect(existsSync(running.folder)).toBe(true);
  await running.close();
});
