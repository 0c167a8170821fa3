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

function mentionsFolder(pid: string, folder: string): boolean {
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
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(port),
      AGENT_SYSTEM: 'off',
      SITE_LISTS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, heard: output, ended: once(child, 'close').then(([code]) => code as number) };
}

describe.skipIf(!existsSync(join(root, 'server', 'main.ts')))('[P7.1] npm start', () => {
  test('prints three lines when it is ready, refuses to start twice, and stops cleanly', async () => {
    const port = await freePort();
    const firstStart = start(port);
    await until('three lines', () => firstStart.heard.out.includes('Protection:'), 60_000);
    const labels = firstStart.heard.out.split('\n').map((line) => line.split(':')[0]);
    expect(labels.slice(labels.indexOf('Dashboard')).slice(0, 3)).toEqual(['Dashboard', 'Mailbox', 'Protection']);
    await until('what this computer’s agent says', () => /^This computer: .+\.$/m.test(firstStart.heard.out), 30_000);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    // The printed address opens the mailbox; without its key the page does not exist.
    const mailbox = /^Mailbox: +(http:\S+)\?key=([\w-]{43}) /m.exec(firstStart.heard.out);
    const mailboxResponse = await fetch(`${mailbox?.[1]}?key=${mailbox?.[2]}`, { redirect: 'manual' });
    expect([mailboxResponse.status, mailboxResponse.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')]);
    expect((await fetch(String(mailbox?.[1]))).status).toBe(404);
    expect(statSync(join(dataDir, 'simulators.key')).mode & 0o777).toBe(0o600);

    const secondStart = start(await freePort());
    expect(await secondStart.ended).toBe(1);
    expect(secondStart.heard.err).toMatch(
      /^Porchlight is already running on .* \(process \d+\)\. Stop that one, or choose another DATA_DIR\.\n$/,
    );

    firstStart.child.kill('SIGTERM');
    expect(await firstStart.ended).toBe(0);
    expect(firstStart.heard.err).toBe('');
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  test.each([
    ['something killed', 'SIGKILL', 'It was ended by the signal SIGKILL, from outside\\.'],
    ['ended after an error that no part handled', 'SIGUSR2', 'an error that no part handled ends this process'],
  ] as const)(
    'starts a server again that %s, says so, and keeps its data',
    async (_, signal, reason) => {
      const port = await freePort();
      const throwing = `process.on('SIGUSR2', () => { throw new Error('a bug'); })`;
      const { child, heard, ended } = start(port, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwing)}` });
      await until('three lines', () => heard.out.includes('Protection:'), 60_000);
      const serverPids = () =>
        readdirSync('/proc').filter(
          (pid) => /^\d+$/.test(pid) && mentionsFolder(pid, join('server', 'main.ts')) && mentionsFolder(pid, dataDir),
        );
      const [killedPid = ''] = serverPids();
      const key = readFileSync(join(dataDir, 'simulators.key'), 'utf8');
      process.kill(Number(killedPid), signal);
      await until('the sentence', () => heard.err.includes('is started again'), 60_000);
      expect(heard.err).toMatch(new RegExp(`^The server stopped, and is started again; its log is \\S+server\\.log\\. ${reason}\\n$`));
      await until(
        'the next server',
        async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200,
        60_000,
      );
      expect(serverPids()).toEqual([expect.not.stringMatching(`^${killedPid}$`)]);
      expect(readFileSync(join(dataDir, 'simulators.key'), 'utf8')).toBe(key);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    },
    120_000,
  );

  test('killed with SIGKILL, leaves nothing running that prevents the next start', async () => {
    const port = await freePort();
    const firstStart = start(port);
    await until('three lines', () => firstStart.heard.out.includes('Protection:'), 60_000);
    firstStart.child.kill('SIGKILL');
    await until(
      'the server to have gone',
      () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => false,
          () => true,
        ),
      20_000,
    );
    const secondStart = start(port);
    await until('three lines again', () => secondStart.heard.out.includes('Protection:'), 60_000);
    expect(secondStart.heard.err).toBe('');
  }, 120_000);

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves no server, database or agent running when npm itself is ended by %s',
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
      const ownProcesses = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && mentionsFolder(pid, dataDir));
      // The running processes: server, agent, PostgreSQL, and their parents.
      expect(ownProcesses().length).toBeGreaterThan(3);
      npm.kill(signal);
      await until('all of it to have ended', () => ownProcesses().length === 0, 60_000);
    },
    150_000,
  );

  test('on a used port, prints an error that says what to do', async () => {
    const port = await freePort();
    const otherServer = createServer().listen(port, '127.0.0.1');
    await once(otherServer, 'listening');
    const failedStart = start(port);
    expect(await failedStart.ended).toBe(1);
    expect(failedStart.heard.err).toBe(
      `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start\n`,
    );
    otherServer.close();
  });

  test('prints an error that names a wrong setting', async () => {
    const failedStart = start(await freePort(), { DATABASE_URL: 'mysql://nowhere' });
    expect(await failedStart.ended).toBe(1);
    expect(failedStart.heard.err).toMatch(/DATABASE_URL/);
  });

  test('with an unreachable database, prints a one-sentence error without a stack and without the password', async () => {
    const unusedPort = await freePort();
    const failedStart = start(await freePort(), { DATABASE_URL: `postgres://me:hidden@127.0.0.1:${unusedPort}/porchlight` });
    expect(await failedStart.ended).toBe(1);
    const [sentence, log] = failedStart.heard.err.split('\n');
    expect(sentence).toBe(
      `No PostgreSQL answers at DATABASE_URL (127.0.0.1:${unusedPort}: connect ECONNREFUSED 127.0.0.1:${unusedPort}). Check that it is running and that the address is right.`,
    );
    expect(log).toMatch(/^The server stopped; its log is /);
    expect(readFileSync(join(dataDir, 'logs', 'server.log'), 'utf8')).toBe(`${sentence}\n`);
  });

  test('with an unreachable mail server, prints a warning after the start', async () => {
    const unusedPort = await freePort();
    const { heard } = start(await freePort(), {
      SMTP_URL: `smtp://me:hidden@127.0.0.1:${unusedPort}`,
      FEATURE_SMS: 'off',
      AGENT_LOOPBACK_PORT: '0',
    });
    await until('the note', () => heard.out.includes('Please note:'), 60_000);
    expect(heard.out).toContain(
      `Please note: No mail server answers at SMTP_URL (127.0.0.1:${unusedPort}: connect ECONNREFUSED 127.0.0.1:${unusedPort}). Check that it is running and that the address is right. Until then emails wait.\n`,
    );
    expect(heard.out).toMatch(/^Mailbox: +mail goes to SMTP_URL$/m);
  });

  test('with another SECRET_KEY, prints a one-sentence error without a stack; the first SECRET_KEY continues to work', async () => {
    const port = await freePort();
    const [firstKey, secondKey] = [
      { SECRET_KEY: 'one secret key of thirty-two characters' },
      { SECRET_KEY: 'another key of thirty-two characters' },
    ];
    const firstStart = start(port, firstKey);
    await until('three lines', () => firstStart.heard.out.includes('Protection:'), 60_000);
    firstStart.child.kill('SIGTERM');
    await firstStart.ended;
    const failedStart = start(port, secondKey);
    expect(await failedStart.ended).toBe(1);
    expect(failedStart.heard.err.split('\n')[0]).toBe(
      'SECRET_KEY is not the one this database was set up with. Set SECRET_KEY to that one and start again.',
    );
    expect(failedStart.heard.err).not.toMatch(/^\s+at /m);
  }, 150_000);
});
