// Tier: whole. It starts the whole product as npm start does.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
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
  return { child, ...followed(child) };
}

function followed(child: ChildProcessByStdio<null, Readable, Readable>) {
  running.push(child);
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { output, ended: once(child, 'close').then(([code]) => code as number) };
}

/** The processes that run for this test's folder: `npm start` itself, its server, database and agent. */
const ownProcesses = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && mentionsFolder(pid, dataDir));

/** npm passes on no signals, and a test of its end needs it. */
function npmStart(port: number, env: Record<string, string> = {}) {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port), AGENT_LOOPBACK_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child: npm, ...followed(npm) };
}

/**
 * Each start of the whole product takes seconds of processor time, so each test here goes on with the product that it has started.
 * `server-supervisor.test.ts` proves without any process when a server is started again, and the sentences.
 */
describe.skipIf(!existsSync(join(root, 'server', 'main.ts')))('[P7.1] npm start', () => {
  test('prints three lines when it is ready, refuses to start twice, starts a server that ended again with its data, and stops cleanly', async () => {
    const port = await freePort();
    const throwing = `process.on('SIGUSR2', () => { throw new Error('a bug'); })`;
    const firstStart = start(port, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwing)}` });
    await until('three lines', () => firstStart.output.out.includes('Protection:'), 60_000);
    const labels = firstStart.output.out.split('\n').map((line) => line.split(':')[0]);
    expect(labels.slice(labels.indexOf('Dashboard')).slice(0, 3)).toEqual(['Dashboard', 'Mailbox', 'Protection']);
    await until('what this computer’s agent says', () => /^This computer: .+\.$/m.test(firstStart.output.out), 30_000);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    // The printed address opens the mailbox; without its key the page does not exist.
    const mailbox = /^Mailbox: +(http:\S+)\?key=([\w-]{43}) /m.exec(firstStart.output.out);
    const mailboxResponse = await fetch(`${mailbox?.[1]}?key=${mailbox?.[2]}`, { redirect: 'manual' });
    expect([mailboxResponse.status, mailboxResponse.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')]);
    expect((await fetch(String(mailbox?.[1]))).status).toBe(404);
    expect(statSync(join(dataDir, 'simulators.key')).mode & 0o777).toBe(0o600);

    const secondStart = start(await freePort());
    expect(await secondStart.ended).toBe(1);
    expect(secondStart.output.err).toMatch(
      /^Porchlight is already running on .* \(process \d+\)\. Stop that one, or choose another DATA_DIR\.\n$/,
    );

    expect(firstStart.output.err).toBe('');
    const serverPids = () => ownProcesses().filter((pid) => mentionsFolder(pid, join('server', 'main.ts')));
    const key = readFileSync(join(dataDir, 'simulators.key'), 'utf8');
    let printed = '';
    for (const [signal, reason] of [
      ['SIGKILL', 'It was ended by the signal SIGKILL, from outside\\.'],
      ['SIGUSR2', 'an error that no part handled ends this process'],
    ] as const) {
      const [endedPid = ''] = serverPids();
      process.kill(Number(endedPid), signal);
      printed += `The server stopped, and is started again; its log is \\S+server\\.log\\. ${reason}\\n`;
      await until('the sentence', () => new RegExp(`^${printed}$`).test(firstStart.output.err), 60_000);
      const readyServer = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
      await until('the next server', readyServer, 60_000);
      expect(serverPids()).toEqual([expect.not.stringMatching(`^${endedPid}$`)]);
      expect(readFileSync(join(dataDir, 'simulators.key'), 'utf8')).toBe(key);
    }

    firstStart.child.kill('SIGTERM');
    expect(await firstStart.ended).toBe(0);
    expect(firstStart.output.err).toMatch(new RegExp(`^${printed}$`));
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  test('however it or npm is ended, leaves nothing running that prevents the next start; only with another SECRET_KEY that one fails, in one sentence', async () => {
    const [port, unusedPort] = [await freePort(), await freePort()];
    const ownKey = { SECRET_KEY: 'one secret key of thirty-two characters' };

    const unreachableMail = { SMTP_URL: `smtp://me:hidden@127.0.0.1:${unusedPort}`, FEATURE_SMS: 'off' };
    const killedNpm = npmStart(port, { ...ownKey, ...unreachableMail });
    await until('three lines', () => killedNpm.output.out.includes('Protection:'), 60_000);
    // With an unreachable mail server there is a warning after the start.
    await until('the note', () => killedNpm.output.out.includes('Please note:'), 60_000);
    expect(killedNpm.output.out).toContain(
      `Please note: No mail server answers at SMTP_URL (127.0.0.1:${unusedPort}: connect ECONNREFUSED 127.0.0.1:${unusedPort}). Check that it is running and that the address is right. Until then emails wait.\n`,
    );
    expect(killedNpm.output.out).toMatch(/^Mailbox: +mail goes to SMTP_URL$/m);
    // The running processes: server, agent, PostgreSQL, and their parents.
    expect(ownProcesses().length).toBeGreaterThan(3);
    killedNpm.child.kill('SIGKILL');
    await until('all of it to have ended', () => ownProcesses().length === 0, 60_000);

    const failedStart = start(port, { SECRET_KEY: 'another key of thirty-two characters' });
    expect(await failedStart.ended).toBe(1);
    expect(failedStart.output.err.split('\n')[0]).toBe(
      'SECRET_KEY is not the one this database was set up with. Set SECRET_KEY to that one and start again.',
    );
    expect(failedStart.output.err).not.toMatch(/^\s+at /m);

    const killedStart = start(port, ownKey);
    await until('three lines with the first SECRET_KEY', () => killedStart.output.out.includes('Protection:'), 60_000);
    killedStart.child.kill('SIGKILL');
    const isGone = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => false,
        () => true,
      );
    await until('the server to have gone', isGone, 20_000);

    const endedNpm = npmStart(port, ownKey);
    await until('three lines again', () => endedNpm.output.out.includes('Protection:'), 60_000);
    expect(endedNpm.output.err).toBe('');
    expect(ownProcesses().length).toBeGreaterThan(3);
    endedNpm.child.kill('SIGTERM');
    await until('all of it to have ended again', () => ownProcesses().length === 0, 60_000);
  }, 240_000);

  test('on a used port, prints an error that says what to do', async () => {
    const port = await freePort();
    const otherServer = createServer().listen(port, '127.0.0.1');
    await once(otherServer, 'listening');
    const failedStart = start(port);
    expect(await failedStart.ended).toBe(1);
    expect(failedStart.output.err).toBe(
      `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start\n`,
    );
    otherServer.close();
  });

  test('prints an error that names a wrong setting', async () => {
    const failedStart = start(await freePort(), { DATABASE_URL: 'mysql://nowhere' });
    expect(await failedStart.ended).toBe(1);
    expect(failedStart.output.err).toMatch(/DATABASE_URL/);
  });

  test('with an unreachable database, prints a one-sentence error without a stack and without the password', async () => {
    const unusedPort = await freePort();
    const failedStart = start(await freePort(), { DATABASE_URL: `postgres://me:hidden@127.0.0.1:${unusedPort}/porchlight` });
    expect(await failedStart.ended).toBe(1);
    const [sentence, log] = failedStart.output.err.split('\n');
    expect(sentence).toBe(
      `No PostgreSQL answers at DATABASE_URL (127.0.0.1:${unusedPort}: connect ECONNREFUSED 127.0.0.1:${unusedPort}). Check that it is running and that the address is right.`,
    );
    expect(log).toMatch(/^The server stopped; its log is /);
    expect(readFileSync(join(dataDir, 'logs', 'server.log'), 'utf8')).toBe(`${sentence}\n`);
  });
});
