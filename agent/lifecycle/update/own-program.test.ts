import { execFileSync } from 'node:child_process';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knownAs, ownProgram } from '../../lib/own-program.ts';
import { temporaryFolder } from '../../testing/agent.ts';
import { swapIn } from './swap.ts';

const says = async (path: string, what: string) => {
  await writeFile(path, `#!/bin/sh\necho ${what}\n`);
  await chmod(path, 0o755);
};
const run = (path: string) => execFileSync(path, { encoding: 'utf8' }).trim();

it.skipIf(process.platform === 'win32')(
  'a successor finds its own program before and after it is swapped in, and while a later update uses its old name',
  async () => {
    const program = join(await temporaryFolder(), 'porchlight-agent');
    await says(program, 'first');
    await says(`${program}.new`, 'second');
    const [successor, before] = [ownProgram(`${program}.new`), ownProgram(program)];
    expect([run(successor()), run(before())]).toEqual(['second', 'first']);
    await swapIn(program, `${program}.new`);
    expect([successor(), run(successor())]).toEqual([program, 'second']);
    await says(`${program}.new.part`, 'third');
    await rename(`${program}.new.part`, `${program}.new`);
    expect([successor(), run(successor())]).toEqual([program, 'second']);
    expect([knownAs(`${program}.new`), knownAs(program)]).toEqual([program, program]);
  },
);
