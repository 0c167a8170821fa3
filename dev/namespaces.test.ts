import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { inOwnNamespaces } from './namespaces.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const prefix = inOwnNamespaces();
if (!prefix) console.log('This system gives no namespaces (unshare, ip; root or user namespaces): the tests of them are skipped.');
const [command = '', ...args] = prefix ?? [];
const node = (code: string) => [...args, process.execPath, '--input-type=module', '-e', code];

test.skipIf(!prefix)(
  'a program in namespaces of its own sees no process of the computer, and a port that is taken on the computer is free there',
  async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const code = `import { readdirSync } from 'node:fs'; import { createServer } from 'node:net';
    const processes = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length;
    const server = createServer().once('error', ({ code }) => console.log(processes, code));
    server.listen(${port}, '127.0.0.1', () => { console.log(processes, 'free'); server.close(); });`;
    // The shell and Node.
    expect((await run(command, node(code))).stdout.trim()).toBe('2 free');
    const here = await run(process.execPath, ['--input-type=module', '-e', code]);
    expect(here.stdout.trim()).toMatch(/^\d+ EADDRINUSE$/);
  },
);

test.skipIf(!prefix)('the exit code of a program in namespaces of its own is passed on', async () => {
  await expect(run(command, node('process.exit(7)'))).rejects.toMatchObject({ code: 7 });
});

test.skipIf(!prefix)('killing the command ends every process that was started in its namespaces', async () => {
  const mark = `grandchild-${process.pid}-${Date.now()}`;
  const grandchild = `spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${mark}'], { detached: true, stdio: 'ignore' })`;
  const child = spawn(command, node(`import { spawn } from 'node:child_process'; ${grandchild}; setInterval(() => {}, 1000);`));
  const running = async () => (await run('pgrep', ['-f', `^\\S+ -e .* ${mark}$`]).catch(() => ({ stdout: '' }))).stdout.trim() !== '';
  await until('the grandchild to run', running);
  child.kill('SIGKILL');
  await until('the grandchild to be ended', async () => !(await running()));
});
