import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { until } from '../../testing/until.ts';
import { handOver } from './successor.ts';

/** Hands over to a program that does this; answers what came of it, what the old one did, and whether the new one still runs. */
async function tried(script: string, timeouts = { load: 5000, stepBack: 5000, protect: 5000 }, stepBack?: () => Promise<void>) {
  const folder = await temporaryFolder();
  const file = join(folder, 'new.mjs');
  await writeFile(
    file,
    `process.title = 'porchlight-trial';\n(await import('node:fs')).writeFileSync(process.argv[2], String(process.pid));\n${script}`,
  );
  const did: string[] = [];
  const well = await handOver({
    program: process.execPath,
    args: [file, join(folder, 'pid')],
    env: { PATH: process.env.PATH },
    timeouts,
    stepBack: stepBack ?? (async () => void did.push('stepped back')),
    takeBack: async () => void did.push('taken back'),
  });
  const { readFileSync } = await import('node:fs');
  const pid = await until('the number of the new one', () => {
    try {
      return Number(readFileSync(join(folder, 'pid'), 'utf8'));
    } catch {
      return well ? null : -1;
    }
  });
  const runs = () => {
    try {
      return pid > 0 && process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  return { well, did, runs, pid };
}

const loaded = "process.send('loaded');";
const stays = 'setInterval(() => {}, 1000);';

describe('handing over', () => {
  test('the old agent steps back once the new one has loaded, and hears when it protects', async () => {
    const { well, did, runs, pid } = await tried(`${stays}\nprocess.on('message', () => process.send('protecting'));\n${loaded}`);
    expect({ well, did }).toEqual({ well: true, did: ['stepped back'] });
    expect(runs()).toBe(true);
    process.kill(pid, 'SIGKILL');
  });

  test.each([
    ['ends before it has loaded', 'process.exit(0);', []],
    ['never loads', stays, []],
    ['says that it protects before it was asked', `${stays} process.send('protecting');`, []],
    ['ends when it is to take over', `${stays} process.on('message', () => process.exit(0)); ${loaded}`, ['stepped back', 'taken back']],
    ['never protects', `${stays} ${loaded}`, ['stepped back', 'taken back']],
    ['ends as soon as it has loaded', `${loaded} process.disconnect();`, ['stepped back', 'taken back']],
  ])('all is as before with one that %s, and it does not run any more', async (_how, script, acts) => {
    const { well, did, runs } = await tried(script, { load: 1000, stepBack: 1000, protect: 500 });
    expect({ well, did, runs: runs() }).toEqual({ well: false, did: acts, runs: false });
  });

  test.each<[string, () => Promise<void>]>([
    ['never does', () => new Promise(() => {})],
    ['fails at it', () => Promise.reject(new Error('no'))],
  ])('an old one that is to step back and %s takes all back, and the new one does not run any more', async (_how, stepBack) => {
    const timeouts = { load: 5000, stepBack: 200, protect: 5000 };
    const { well, did, runs } = await tried(`${stays}\n${loaded}`, timeouts, stepBack);
    expect({ well, did, runs: runs() }).toEqual({ well: false, did: ['taken back'], runs: false });
  });

  test('a successor that cannot be started leaves the old agent in place', async () => {
    const folder = await temporaryFolder();
    const no = async () => expect.unreachable();
    const parts = { args: [], env: {}, timeouts: { load: 1000, stepBack: 1000, protect: 1000 }, stepBack: no, takeBack: no };
    expect(await handOver({ ...parts, program: join(folder, 'nothing') })).toBe(false);
  });
});
