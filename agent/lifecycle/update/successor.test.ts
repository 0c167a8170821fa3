import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { until } from '../../testing/until.ts';
import { handOver } from './successor.ts';

/** Hands over to a program with this script; returns the result, the steps of the old agent, and whether the new program still runs. */
async function handOverTo(script: string, timeouts = { load: 5000, stepBack: 5000, protect: 5000 }, stepBack?: () => Promise<void>) {
  const folder = await temporaryFolder();
  const file = join(folder, 'new.mjs');
  await writeFile(
    file,
    `process.title = 'porchlight-trial';\n(await import('node:fs')).writeFileSync(process.argv[2], String(process.pid));\n${script}`,
  );
  const actualSteps: string[] = [];
  const succeeded = await handOver({
    program: process.execPath,
    args: [file, join(folder, 'pid')],
    env: { PATH: process.env.PATH },
    timeouts,
    stepBack: stepBack ?? (async () => void actualSteps.push('stepped back')),
    takeBack: async () => void actualSteps.push('taken back'),
  });
  const { readFileSync } = await import('node:fs');
  const pid = await until('the number of the new one', () => {
    try {
      return Number(readFileSync(join(folder, 'pid'), 'utf8'));
    } catch {
      return succeeded ? null : -1;
    }
  });
  const runs = () => {
    try {
      return pid > 0 && process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  return { well: succeeded, did: actualSteps, runs, pid };
}

const loaded = "process.send('loaded');";
const stays = 'setInterval(() => {}, 1000);';

describe('handing over to a successor', () => {
  test('the old agent steps back when the successor has loaded, and learns when the successor protects', async () => {
    const { well, did, runs, pid } = await handOverTo(`${stays}\nprocess.on('message', () => process.send('protecting'));\n${loaded}`);
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
  ])('a successor that %s is stopped, and the old agent resumes', async (_how, script, expectedSteps) => {
    const { well, did, runs } = await handOverTo(script, { load: 1000, stepBack: 1000, protect: 500 });
    expect({ well, did, runs: runs() }).toEqual({ well: false, did: expectedSteps, runs: false });
  });

  test.each<[string, () => Promise<void>]>([
    ['never does', () => new Promise(() => {})],
    ['fails at it', () => Promise.reject(new Error('no'))],
  ])('an old agent that is to step back and %s resumes, and the successor is stopped', async (_how, stepBack) => {
    const timeouts = { load: 5000, stepBack: 200, protect: 5000 };
    const { well, did, runs } = await handOverTo(`${stays}\n${loaded}`, timeouts, stepBack);
    expect({ well, did, runs: runs() }).toEqual({ well: false, did: ['taken back'], runs: false });
  });

  test('a successor that cannot be started leaves the old agent in place', async () => {
    const folder = await temporaryFolder();
    const no = async () => expect.unreachable();
    const deps = { args: [], env: {}, timeouts: { load: 1000, stepBack: 1000, protect: 1000 }, stepBack: no, takeBack: no };
    expect(await handOver({ ...deps, program: join(folder, 'nothing') })).toBe(false);
  });
});
