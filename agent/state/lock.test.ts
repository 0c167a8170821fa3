import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { skipTest } from '../testing/left-out.ts';
import { until } from '../testing/until.ts';
import { lockFolder } from './lock.ts';

const module = JSON.stringify(new URL('./lock.ts', import.meta.url).href);

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
    if (process.platform !== 'linux' || process.getuid?.() !== 0) skipTest(context, 'another user can only be had as root of a Linux.');
    const folder = await temporaryFolder();
    // A name derived from the path can be guessed, and /proc shows the names of abstract sockets to everyone.
    const hash = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
    await nobodyWith(`\0porchlight-agent-${hash}`);
    const socketsBefore = await readFile('/proc/net/unix', 'utf8');
    const lock = await lockFolder(folder);
    expect(lock).not.toBeNull();
    const names = (text: string) => text.split('\n').flatMap((line) => /@\S+$/.exec(line) ?? []);
    expect(names(await readFile('/proc/net/unix', 'utf8')).filter((name) => !names(socketsBefore).includes(name))).toEqual([]);
    await lock?.release();
    const child = spawnSync(process.execPath, ['-e', `require('node:fs').readdirSync(process.argv[1])`, folder], { uid: 65_534, cwd: '/' });
    expect(child.stderr.toString()).toContain('EACCES');
  });

  test('[P4.7] the lock is free after its process is killed, even if its children still run', async () => {
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
    const ownLock = await until('the lock', () => lockFolder(folder));
    expect(await lockFolder(folder)).toBeNull();
    await ownLock.release();
  });
});

describe('lockFolder', () => {
  test('locking a locked folder gives null until the lock is released', async () => {
    const folder = await temporaryFolder();
    const firstLock = await lockFolder(folder);
    expect(firstLock).not.toBeNull();
    expect(await lockFolder(folder)).toBeNull();
    expect(await lockFolder(join(folder, '.'))).toBeNull();
    const otherLock = await lockFolder(await temporaryFolder());
    expect(otherLock).not.toBeNull();
    await otherLock?.release();
    await firstLock?.release();
    const secondLock = await until('the lock to be free', () => lockFolder(folder));
    await secondLock.release();
  });

  test('the lock is released when its process ends', async () => {
    const folder = await temporaryFolder();
    const script = `import { lockFolder } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
      if (!(await lockFolder(process.argv[1]))) process.exit(2);
      process.kill(process.pid, 'SIGKILL');`;
    for (let round = 0; round < 2; round++) {
      expect(spawnSync(process.execPath, ['--input-type=module', '-e', script, folder]).signal).toBe('SIGKILL');
    }
    const ownLock = await until('the lock to be free', () => lockFolder(folder));
    await ownLock.release();
  });
});
