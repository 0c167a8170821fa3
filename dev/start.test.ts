import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from './ports.ts';
import { root } from './root.ts';
import { until } from './until.ts';

let dataDir = '';
const running: ChildProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

/** Does a process have this folder in its environment, or in what it was started with? */
function speaksOf(pid: string, folder: string): boolean {
  const read = (file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  return Number(pid) !== process.pid && `${read('environ')} ${read('cmdline')}`.includes(folder);
}

function start(port: number, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'dev', 'start.ts')], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const heard = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (heard.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (heard.err += chunk.toString()));
  return { child, heard, ended: once(child, 'close').then(([code]) => code as number) };
}

describe.skipIf(!existsSync(join(root, 'server', 'main.ts')))('[P7.1] npm start', () => {
  test('says three things when it is ready, refuses to start twice, and stops cleanly', async () => {
    const port = await freePort();
    const first = start(port);
    await until('three lines', () => first.heard.out.includes('Protection:'), 60_000);
    const said = first.heard.out.split('\n').map((line) => line.split(':')[0]);
    expect(said.slice(said.indexOf('Dashboard')).slice(0, 3)).toEqual(['Dashboard', 'Mailbox', 'Protection']);
    await until('what this computer’s agent says', () => /^This computer: .+\.$/m.test(first.heard.out), 30_000);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    // The address that is printed opens the mailbox; without its key there is none.
    const mailbox = /^Mailbox: +(http:\S+)\?key=([\w-]{43}) /m.exec(first.heard.out);
    const opened = await fetch(`${mailbox?.[1]}?key=${mailbox?.[2]}`, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')]);
    expect((await fetch(String(mailbox?.[1]))).status).toBe(404);
    expect(statSync(join(dataDir, 'simulators.key')).mode & 0o777).toBe(0o600);

    const second = start(await freePort());
    expect(await second.ended).toBe(1);
    expect(second.heard.err).toMatch(
      /^Porchlight is already running on .* \(process \d+\)\. Stop that one, or choose another DATA_DIR\.\n$/,
    );

    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.heard.err).toBe('');
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  test('killed without a word, it leaves nothing running that stands in the way of the next start', async () => {
    const port = await freePort();
    const first = start(port);
    await until('three lines', () => first.heard.out.includes('Protection:'), 60_000);
    first.child.kill('SIGKILL');
    await until(
      'the server to have gone',
      () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => false,
          () => true,
        ),
      20_000,
    );
    const second = start(port);
    await until('three lines again', () => second.heard.out.includes('Protection:'), 60_000);
    expect(second.heard.err).toBe('');
  }, 120_000);

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'npm itself ended by %s, it leaves neither server, database nor agent behind',
    async (signal) => {
      const port = await freePort();
      const npm = spawn('npm', ['start'], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port), AGENT_LOOPBACK_PORT: '0' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      running.push(npm);
      let out = '';
      npm.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      await until('three lines', () => out.includes('Protection:'), 60_000);
      const mine = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && speaksOf(pid, dataDir));
      // The server, the agent, PostgreSQL, and what started them.
      expect(mine().length).toBeGreaterThan(3);
      npm.kill(signal);
      await until('all of it to have ended', () => mine().length === 0, 60_000);
    },
    150_000,
  );

  test('a taken port is named with what to do about it', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const tried = start(port);
    expect(await tried.ended).toBe(1);
    expect(tried.heard.err).toBe(
      `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start\n`,
    );
    other.close();
  });

  test('a wrong setting is named', async () => {
    const tried = start(await freePort(), { DATABASE_URL: 'mysql://nowhere' });
    expect(await tried.ended).toBe(1);
    expect(tried.heard.err).toMatch(/DATABASE_URL/);
  });

  test('a database that does not answer is named in one sentence, without a stack and without the password', async () => {
    const nobody = await freePort();
    const tried = start(await freePort(), { DATABASE_URL: `postgres://me:hidden@127.0.0.1:${nobody}/porchlight` });
    expect(await tried.ended).toBe(1);
    const [sentence, log] = tried.heard.err.split('\n');
    expect(sentence).toBe(
      `No PostgreSQL answers at DATABASE_URL (127.0.0.1:${nobody}: connect ECONNREFUSED 127.0.0.1:${nobody}). Check that it is running and that the address is right.`,
    );
    expect(log).toMatch(/^The server stopped; its log is /);
    expect(readFileSync(join(dataDir, 'logs', 'server.log'), 'utf8')).toBe(`${sentence}\n`);
  });

  test('a mail server that does not answer is named after the start, which it does not stop', async () => {
    const nobody = await freePort();
    const { heard } = start(await freePort(), {
      SMTP_URL: `smtp://me:hidden@127.0.0.1:${nobody}`,
      FEATURE_SMS: 'off',
      AGENT_LOOPBACK_PORT: '0',
    });
    await until('the note', () => heard.out.includes('Please note:'), 60_000);
    expect(heard.out).toContain(
      `Please note: No mail server answers at SMTP_URL (127.0.0.1:${nobody}: connect ECONNREFUSED 127.0.0.1:${nobody}). Check that it is running and that the address is right. Until then emails wait.\n`,
    );
    expect(heard.out).toMatch(/^Mailbox: +mail goes to SMTP_URL$/m);
  });

  test('another SECRET_KEY is named in one sentence, without a stack; the first one goes on as before', async () => {
    const port = await freePort();
    const [one, other] = [
      { SECRET_KEY: 'one secret key of thirty-two characters' },
      { SECRET_KEY: 'another key of thirty-two characters' },
    ];
    const first = start(port, one);
    await until('three lines', () => first.heard.out.includes('Protection:'), 60_000);
    first.child.kill('SIGTERM');
    await first.ended;
    const tried = start(port, other);
    expect(await tried.ended).toBe(1);
    expect(tried.heard.err.split('\n')[0]).toBe(
      'SECRET_KEY is not the one this database was set up with. Set SECRET_KEY to that one and start again.',
    );
    expect(tried.heard.err).not.toMatch(/^\s+at /m);
  }, 150_000);
});
