import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { until } from '../../testing/until.ts';
import { NotDone } from '../not-done.ts';
import { asOwner } from './as-owner.ts';

const facts = { size: 2 ** 31, mode: 0o600, uid: 0, gid: 0, mtime_ms: 0, atime_ms: 0, stamp: 'x' };

async function endless() {
  const folder = await temporaryFolder();
  const [script, pid] = [join(folder, 'helper.mjs'), join(folder, 'pid')];
  await writeFile(
    script,
    `import { writeFileSync, writeSync } from 'node:fs';
writeFileSync(${JSON.stringify(pid)}, String(process.pid));
process.stdout.write(${JSON.stringify(`${JSON.stringify({ facts })}\n`)});
const more = () => process.stdout.write(Buffer.alloc(65536), more);
more();`,
  );
  return { command: () => [process.execPath, script], pid: async () => Number(await readFile(pid, 'utf8')) };
}
const request = { kind: 'read', path: '/nothing', platform: process.platform } as const;
const runs = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each([
  ['before anything of it is read', async () => Promise.reject(new NotDone('refused'))],
  [
    'in the middle of it',
    async (_facts: unknown, content: AsyncIterable<Buffer>) => {
      for await (const chunk of content) if (chunk.length) throw new NotDone('refused');
    },
  ],
])('refusing a copy %s fails the call at once, and its helper process ends', async (_when, take) => {
  const { command, pid } = await endless();
  await expect(asOwner({ command, uid: process.getuid?.() ?? 0 }, request, null, take)).rejects.toEqual(new NotDone('refused'));
  const helper = await pid();
  await until('the process to be gone', () => !runs(helper));
});

it('a helper process that cannot be started fails the call at once', async () => {
  await expect(asOwner({ command: () => ['/nothing/there'], uid: process.getuid?.() ?? 0 }, request, null)).rejects.toEqual(
    new NotDone('refused'),
  );
});
