// Tier: whole. It starts the self-check in a terminal.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverForTest, temporaryFolder } from '@porchlight/agent/testing/agent.ts';
import { requirePrograms } from '@porchlight/agent/testing/left-out.ts';
import { type Run, runAgent } from '@porchlight/agent/testing/process.ts';
import { runningFrom } from '@porchlight/agent/testing/programs.ts';
import type { TestServer } from '@porchlight/agent/testing/server.ts';
import { systemdForTest } from '@porchlight/agent/testing/systemd.ts';
import { until } from '@porchlight/agent/testing/until.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { jsonMarks, type Report } from './report.ts';
import { restartRow } from './shared-rows.ts';
import { realSystem } from './system.ts';

const agent = fileURLToPath(new URL('../../agent/main.ts', import.meta.url));
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const freePort = () => String(20_000 + Math.floor(Math.random() * 20_000));

function started(run: Run): Run {
  onTestFinished(() => void run.child.kill('SIGKILL'));
  return run;
}

/** A real agent that has a name on its list which no other test starts, since the agent watches all processes of this computer. */
async function realAgent() {
  const server = await serverForTest();
  const toolName = `AnyDesk-${randomUUID()}`;
  const anydesk = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
  server.setDefinitions({
    definitions: anydesk.map((one) => ({ ...one, programs: { ...one.programs, names: [{ os: 'linux' as const, name: toolName }] } })),
  });
  const folder = join(await temporaryFolder(), 'data');
  const port = freePort();
  const agent = started(runAgent(server, folder, ['--code', 'ABCD-EFGH'], '', [], { AGENT_LOOPBACK_PORT: port }));
  await agent.printed('Linked as Laptop.');
  await until('policy and definitions', () => server.polls() >= 1);
  return { server, toolName, port };
}

async function selfCheck(server: TestServer, port: string, args: string[], more: Record<string, string> = {}) {
  const out = await temporaryFolder();
  const env = { AGENT_LOOPBACK_PORT: port, ...more };
  const run = started(runAgent(server, join(out, 'data'), ['--out', out, ...args], '', [], env, main));
  const text = async () => {
    const [name = ''] = (await readdir(out)).filter((file) => file.endsWith('.txt'));
    return { name, text: await readFile(join(out, name), 'utf8') };
  };
  return { run, out, text };
}

/** Runs the self-check in a terminal, and types each answer once its question is there. */
async function inTerminal(server: TestServer, port: string, answers: Record<string, string>) {
  const out = await temporaryFolder();
  // `exec`, because a shell in between would end by Ctrl+C itself.
  const command = `exec '${process.execPath}' '${main}' --out '${out}'`;
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: join(out, 'data'), AGENT_LOOPBACK_PORT: port };
  const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const waiting = new Map(Object.entries(answers));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    for (const [question, answer] of waiting) {
      if (!output.includes(`${question} [`)) continue;
      waiting.delete(question);
      child.stdin.write(answer);
    }
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

const reportIn = (text: string) =>
  JSON.parse(text.slice(text.indexOf(jsonMarks.begin) + jsonMarks.begin.length, text.indexOf(jsonMarks.end))) as Report;
const copiesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('porchlight-self-check-'));

describe.skipIf(process.platform !== 'linux')('the self-check on Linux, beside a real agent,', () => {
  test('starts a real program under the name of a tool, measures its end, and writes one file without names of this computer', async () => {
    const { server, toolName, port } = await realAgent();
    const temporary = await temporaryFolder();
    const args = ['--guardian-knows', '--tool-name', toolName];
    const { run, text } = await selfCheck(server, port, args, { TMPDIR: temporary, USER: 'laura-of-test' });
    const code = await run.ended;
    const { name, text: content } = await text();
    const report = reportIn(content);
    const row = (wanted: string) => report.rows.find((one) => one.row === wanted);
    expect(row('1 (connected)')).toMatchObject({ verdict: 'held' });
    expect(row('3 (harmless name)')).toMatchObject({ verdict: 'held' });
    const measured = Number(/ended after (\d+) ms; a harmless program/.exec(row('3 (its own name)')?.evidence ?? '')?.[1]);
    // A busy computer may end it late, which the row must say.
    expect(row('3 (its own name)')?.verdict).toBe(measured <= 500 ? 'held' : 'not_held');
    expect(code).toBe(measured <= 500 ? 0 : 1);
    expect(row('3 (renamed)')).toMatchObject({ verdict: 'not_played', evidence: expect.stringContaining('--tool PATH') });
    expect(row('9 (names)')).toMatchObject({ verdict: 'not_played' });
    expect(row('3 (screen)')).toMatchObject({ verdict: 'not_played', evidence: 'Nobody answered the question.' });
    await until('the report of the stop', () => server.sent.some(({ identifier, blocked }) => identifier === 'anydesk' && blocked));
    expect(name).toMatch(/^porchlight-self-check-linux-\d{4}-\d\d-\d\d\.txt$/);
    for (const personal of ['laura-of-test', hostname(), 'ABCD-EFGH', 'Carol', 'Laptop']) expect(content).not.toContain(personal);
    expect(run.output()).toContain('3 (its own name): ');
    expect(await copiesIn(temporary)).toEqual([]);
  });

  test('causes no alert without consent, and a name that the agent does not know is not as expected', { timeout: 60_000 }, async () => {
    const { server, toolName, port } = await realAgent();
    const quiet = await selfCheck(server, port, ['--tool-name', toolName]);
    expect(await quiet.run.ended).toBe(0);
    const refused = reportIn((await quiet.text()).text).rows.find((one) => one.row === '3 (its own name)');
    expect(refused).toMatchObject({ verdict: 'not_played', evidence: expect.stringContaining('--guardian-knows') });
    expect(server.sent).toEqual([]);
    const unknown = await selfCheck(server, port, ['--guardian-knows', '--tool-name', `Unlisted-${randomUUID()}`]);
    expect(await unknown.run.ended).toBe(1);
    expect(unknown.run.output()).toContain('3 (its own name): NOT HELD.');
  });

  test('interrupted while a program of it runs, ends that program, removes its copies, and still writes the file', async () => {
    const { server, port } = await realAgent();
    const temporary = await temporaryFolder();
    const name = `Unlisted-${randomUUID()}`;
    const { run, text } = await selfCheck(server, port, ['--guardian-knows', '--tool-name', name], { TMPDIR: temporary });
    const copy = async () => join(temporary, (await copiesIn(temporary))[0] ?? 'none', name);
    const path = await until('the copy to run', async () => runningFrom(await copy())[0]?.path);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(2);
    expect(runningFrom(path)).toEqual([]);
    expect(await copiesIn(temporary)).toEqual([]);
    expect(reportIn((await text()).text)).toMatchObject({ complete: false });
  });

  test('asks in a terminal: a no counts as not as expected, a refused consent plays nothing, and Ctrl+C at a question stops it', async (context) => {
    requirePrograms(context, { script: 'bsdutils' });
    const { server, port } = await realAgent();
    const answered = await inTerminal(server, port, { 'may these rows be played?': 'n\n', 'Did its page open in your browser?': 'n\n' });
    expect(answered.code, answered.output).toBe(1);
    expect(answered.output).toContain('5 (menu): NOT HELD.');
    expect(answered.output).toContain('3 (its own name): NOT PLAYED.');
    expect(server.sent).toEqual([]);
    const stopped = await inTerminal(server, port, { 'may these rows be played?': '\x03' });
    expect(stopped.code, stopped.output).toBe(2);
    expect(stopped.output).toContain('not played.');
  }, 60_000);

  test('ends a real service by force, and measures that systemd starts it again while a name resolves', {
    timeout: 90_000,
  }, async (context) => {
    const systemd = await systemdForTest(context);
    const server = await serverForTest();
    server.setDefinitions({ definitions: [] });
    const [folder, port] = [join(await temporaryFolder(), 'data'), freePort()];
    const name = 'porchlight-agent.service';
    const env = [`PORCHLIGHT_SERVER=${server.url}`, `AGENT_DATA_DIR=${folder}`, `AGENT_LOOPBACK_PORT=${port}`];
    const lines = ['[Service]', 'Type=exec', ...env.map((one) => `Environment=${one}`), `ExecStart=${process.execPath} ${agent} --free`];
    await systemd.add(name, [...lines, 'Restart=always', 'RestartSec=1', ''].join('\n'));
    await systemd.systemctl('start', name);
    const system = realSystem({
      ...{ platform: process.platform, env: process.env, port: Number(port), origin: server.url, signal: new AbortController().signal },
    });
    await until('the agent', () => system.agentStatus(), 30_000);
    const row = restartRow({
      number: 6,
      mainPid: async () => Number(await systemd.property(name, 'MainPID')) || null,
      resolves: async () => (await system.run('getent', 'ahostsv4', 'localhost')).code === 0,
      startService: () => systemd.systemctl('start', name),
    });
    const tools = { system, status: null, toolName: 'anydesk', toolPath: null, folders: { program: '', state: '' } };
    const { verdict, evidence } = await row.play(tools);
    const backMs = Number(/^The name resolved. The agent was back after (\d+) ms.$/.exec(evidence)?.[1]);
    // A busy computer may start it late, which the row must say.
    expect(verdict, evidence).toBe(backMs <= 5000 ? 'held' : 'not_held');
    expect(await systemd.property(name, 'NRestarts')).toBe('1');
    await systemd.systemctl('stop', name);
    await row.undo?.(tools);
    expect(await systemd.property(name, 'ActiveState')).toBe('active');
    await systemd.systemctl('stop', name);
  });

  test('cannot run where no agent answers', async () => {
    const { run, out } = await selfCheck(await serverForTest(), freePort(), []);
    expect(await run.ended).toBe(2);
    expect(run.output()).toContain('No Porchlight agent answers');
    expect(await readdir(out)).toEqual([]);
  });

  test('explains an option that it does not know', async () => {
    const { run } = await selfCheck(await serverForTest(), freePort(), ['--everything']);
    expect(await run.ended).toBe(2);
    expect(run.output()).toContain('--guardian-knows');
  });

  test('refuses a name that would leave its folder', async () => {
    const child = await selfCheck(await serverForTest(), freePort(), ['--tool-name', '../x']);
    expect(await child.run.ended).toBe(2);
  });
});
