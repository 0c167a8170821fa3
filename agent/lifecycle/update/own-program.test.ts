import { execFileSync } from 'node:child_process';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { finalPath, ownProgram } from '../../lib/own-program.ts';
import { temporaryFolder } from '../../testing/agent.ts';
import { swapIn } from './swap.ts';

const writeScript = async (path: string, output: string) => {
  await writeFile(path, `#!/bin/sh\necho ${output}\n`);
  await chmod(path, 0o755);
};
const run = (path: string) => execFileSync(path, { encoding: 'utf8' }).trim();

it.skipIf(process.platform === 'win32')(
  'an updated agent finds its own program before and after the swap, and while a later update uses its old name',
  async () => {
    const program = join(await temporaryFolder(), 'porchlight-agent');
    await writeScript(program, 'first');
    await writeScript(`${program}.new`, 'second');
    const [successor, formerProgram] = [ownProgram(`${program}.new`), ownProgram(program)];
    expect([run(successor()), run(formerProgram())]).toEqual(['second', 'first']);
    await swapIn(program, `${program}.new`);
    expect([successor(), run(successor())]).toEqual([program, 'second']);
    await writeScript(`${program}.new.part`, 'third');
    await rename(`${program}.new.part`, `${program}.new`);
    expect([successor(), run(successor())]).toEqual([program, 'second']);
    expect([finalPath(`${program}.new`), finalPath(program)]).toEqual([program, program]);
  },
);
