import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A desktop whose `xdg-open` only records addresses. */
export async function fakeDesktop(): Promise<{ env: NodeJS.ProcessEnv; opened(): Promise<string[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-screen-'));
  const log = join(folder, 'opened');
  await writeFile(log, '');
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${log}'\n`);
  await chmod(join(folder, 'xdg-open'), 0o755);
  return {
    env: { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ':77' },
    opened: async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean),
  };
}
