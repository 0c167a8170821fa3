import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { leaveOut } from '../testing/left-out.ts';
import { until } from '../testing/until.ts';
import { lockFolder } from './lock.ts';

const module = JSON.stringify(new URL('./lock.ts', import.meta.url).href);

/** A program without rights that binds this name, once it has it. */
async function nobodyWith(name: string) {
  const script = `require('node:net').createServer().listen(Buffer.from(process.argv[1], 'hex').toString('latin1'), () => console.log('has it'))`;
  const child = spawn(process.execPath, ['-e', script, Buffer.from(name).toString('hex')], {
    ...{ uid: 65_534, gid: 65_534, cwd: '/', env: {} },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
}

describe('the lock of a folder', () => {
  test('[P4.7] another user cannot squat the lock’s socket name and keep the agent from starting', async (context) => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) leaveOut(context, 'another user can only be had as root of a Linux.');
    const folder = await temporaryFolder();
    // Whatever can be worked out from the path, or read from what the kernel tells everyone.
    const hash = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
    await nobodyWith(`\0porchlight-agent-${hash}`);
    const before = await readFile('/proc/net/unix', 'utf8');
    const lock = await lockFolder(folder);
    expect(lock).not.toBeNull();
    const names = (text: string) => text.split('\n').flatMap((line) => /@\S+$/.exec(line) ?? []);
    expect(names(await readFile('/proc/net/unix', 'utf8')).filter((name) => !names(before).includes(name))).toEqual([]);
    await lock?.release();
    const child = spawnSync(process.execPath, ['-e', `require('node:fs').readdirSync(process.argv[1])`, folder], { uid: 65_534, cwd: '/' });
    expect(child.stderr.toString()).toContain('EACCES');
  });

  test('[P4.7] the lock is free once its process is killed, whatever its children do', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'lock'), 'left over');
    const script = `import { spawn } from 'node:child_process';
      import { lockFolder } from ${module};
      if (!(await lockFolder(process.argv[1]))) process.exit(2);
      const { pid } = spawn('sleep', ['60'], { stdio: 'ignore', detached: true });
      console.log(pid);
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void holder.kill('SIGKILL'));
    const started = Number(await new Promise<Buffer>((resolve) => holder.stdout.once('data', resolve)));
    onTestFinished(() => void process.kill(started, 'SIGKILL'));
    expect(await lockFolder(folder)).toBeNull();
    holder.kill('SIGKILL');
    const mine = await until('the lock', () => lockFolder(folder));
    expect(await lockFolder(folder)).toBeNull();
    await mine.release();
  });
});

describe('lockFolder', () => {
  test('a second lock attempt gives null until the first is released', async () => {
    const folder = await temporaryFolder();
    const first = await lockFolder(folder);
    expect(first).not.toBeNull();
    expect(await lockFolder(folder)).toBeNull();
    expect(await lockFolder(join(folder, '.'))).toBeNull();
    const other = await lockFolder(await temporaryFolder());
    expect(other).not.toBeNull();
    await other?.release();
    await first?.release();
    const again = await until('the lock to be free', () => lockFolder(folder));
    await again.release();
  });

  test('the lock is released when its process ends', async () => {
    const folder = await temporaryFolder();
    const script = `import { lockFolder } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
      if (!(await lockFolder(process.argv[1]))) process.exit(2);
      process.kill(process.pid, 'SIGKILL');`;
    for (let round = 0; round < 2; round++) {
      expect(spawnSync(process.execPath, ['--input-type=module', '-e', script, folder]).signal).toBe('SIGKILL');
    }
    const mine = await until('the lock to be free', () => lockFolder(folder));
    await mine.release();
  });
});
