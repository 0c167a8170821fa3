// Tier: whole. It starts the command for production in a copy of the tree.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { copyOfTree } from './copy-of-tree.ts';
import { freePort } from './ports.ts';
import { putReadyCluster } from './ready-cluster.ts';
import { answers, until } from './until.ts';

/** Runs the real `npm run serve` in a copy of the repository, as an operator has it: with texts of their own. */

let copy = '';
beforeAll(async () => {
  copy = await copyOfTree();
  const replace = (file: string, from: RegExp, to: string) =>
    writeFileSync(join(copy, file), readFileSync(join(copy, file), 'utf8').replace(from, to));
  replace('contract/brand.ts', /support@[\w.]+/, 'help@family-care.org');
  replace('contract/brand.ts', /1-800-555-0100/, '1-212-736-5000');
  for (const page of ['terms-of-service', 'privacy-policy']) replace(`dashboard/${page}.html`, /Template for the operator/, 'Ours');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function putDashboard() {
  const dist = join(copy, 'dashboard', 'dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  const page = '<!doctype html><script type="application/json" id="config"></script><p>Built.</p>';
  writeFileSync(join(dist, 'manifest.webmanifest'), '{}');
  for (const name of ['index', 'guardian', 'share', 'terms-of-service', 'privacy-policy']) writeFileSync(join(dist, `${name}.html`), page);
}

/** What production requires, each integration by a simulator that is asked for by name. */
const simulators = { SMTP_URL: 'mailbox:', TWILIO_API_BASE: 'mailbox:', STRIPE_API_BASE: 'till:' };
const publicUrl = { PUBLIC_URL: 'https://www.family-care.org', TRUST_PROXY: 'on' };

interface Run {
  child: ChildProcess;
  output: { out: string; err: string };
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const program = [process.execPath, join('dev', 'serve.mjs')];

function serve(env: Record<string, string | undefined>, [command = '', ...args] = program): Run {
  const child = spawn(command, args, {
    cwd: copy,
    env: { PATH: process.env.PATH, HOME: copy, SITE_LISTS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output, ended: once(child, 'close').then(([code, signal]) => ({ code, signal })) };
}

async function running(env: Record<string, string | undefined> = {}, command = program): Promise<Run & { url: string }> {
  putDashboard();
  const dataDir = mkdtempSync(join(tmpdir(), 'serve-'));
  await putReadyCluster(dataDir);
  const port = await freePort();
  const started = serve({ DATA_DIR: dataDir, PORT: String(port), ...simulators, ...publicUrl, ...env }, command);
  onTestFinished(async () => {
    if (started.child.exitCode === null) started.child.kill('SIGTERM');
    await started.ended;
    rmSync(dataDir, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the server to be ready', async () => {
    if (started.child.exitCode !== null) throw new Error(started.output.err);
    return answers(`${url}/readyz`);
  });
  return { ...started, url };
}

describe.skipIf(process.platform === 'win32')('npm run serve', () => {
  test('without the dashboard names the command that builds it, and starts nothing', async () => {
    const { output, ended } = serve({ ...simulators, ...publicUrl, DATA_DIR: join(copy, 'never') });
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(output).toEqual({
      out: '',
      err: 'The dashboard is not built: dashboard/dist/index.html is missing. This command builds it: npm run build\n',
    });
  });

  test('refuses an option, because it has none', async () => {
    const { output, ended } = serve({}, [...program, '--port', '80']);
    expect(await ended).toEqual({ code: 2, signal: null });
    expect(output.err).toBe('npm run serve does not know --port 80: its settings come from the environment or from .env.\n');
  });

  test('is in production unless NODE_ENV is set: without settings it starts no simulator and names what is missing', async () => {
    putDashboard();
    const production = serve({});
    expect(await production.ended).toEqual({ code: 1, signal: null });
    expect(
      production.output.err
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual([
      ...['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
      ...['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    ]);
    const { output } = await running({ NODE_ENV: 'development', SMTP_URL: undefined });
    expect(output.err).toBe('');
  });

  test('serves the dashboard and the API with simulators that are asked for by name', async () => {
    const { url, output } = await running();
    const page = await fetch(`${url}/dashboard`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Built.')]);
    expect((await fetch(`${url}/api/agent/server`)).status).toBe(200);
    expect(output.out).toContain('Local mailbox: https://www.family-care.org/dev/mailbox?key=');
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('stops in order at %s, with the exit code 0', async (signal) => {
    const { child, ended, url } = await running();
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await answers(`${url}/healthz`)).toBe(false);
  });

  test('stops in order when npm gets the signal, and npm ends with the exit code of the server', async () => {
    const { child, ended, url } = await running({}, ['npm', 'run', '--silent', 'serve']);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await answers(`${url}/healthz`)).toBe(false);
  });

  test('ends with an exit code after an error that no part handled, so that its supervisor starts it again', async () => {
    const bug = `process.on('SIGUSR2', () => { throw new Error('a bug'); })`;
    const { child, ended, output } = await running({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` });
    child.kill('SIGUSR2');
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(output.out).toContain('an error that no part handled ends this process');
  });

  test('reads .env, and a setting of the environment counts more', async () => {
    writeFileSync(join(copy, '.env'), 'SMTP_URL=mailbox:\nPUBLIC_URL=https://other.family-care.org\n');
    onTestFinished(() => rmSync(join(copy, '.env')));
    const { url, output } = await running({ SMTP_URL: undefined });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(output.out).toContain('https://www.family-care.org/dev/mailbox');
    expect(output.out).not.toContain('other.family-care.org');
  });
});
