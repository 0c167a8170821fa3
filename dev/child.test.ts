import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endReason, lastMessage, operatorLines, startChild } from './child.ts';
import { until } from './until.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'child-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(code: string) {
  const script = join(folder, 'script.ts');
  writeFileSync(script, code);
  return startChild({ script, cwd: folder, env: process.env, logFile: join(folder, 'logs', 'script.log') });
}

test('a child process writes its output to its log and reports its exit code', async () => {
  const child = run(`const n: number = 3; console.log('hello'); process.exit(n);`);
  expect(await child.ended).toEqual({ code: 3, signal: null });
  expect(child.output()).toBe('hello\n');
  expect(child.isRunning()).toBe(false);
});

test('a process that ignores SIGTERM is killed after the timeout', async () => {
  const child = run(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up');`);
  await until('the process to be up', () => child.output().includes('up'));
  await child.stop(200);
  expect((await child.ended).signal).toBe('SIGKILL');
});

test('the error of a timeout names the awaited event', async () => {
  await expect(until('the moon', () => false, 50)).rejects.toThrow('Waited 0.05 s in vain for the moon.');
});

test.each([
  ['plain sentence\n    at file.ts:3\nNode.js v24.1.0\n', 'plain sentence'],
  ['{"level":30,"msg":"listening"}\n{"level":50,"msg":"x","err":{"message":"no disk"}}\n{"level":30,"msg":"bye"}\n', 'no disk'],
  ['{"level":30,"msg":"listening"}\n', 'listening'],
  [
    "node:internal/x:3\n    throw new Y();\n\nError [ERR_X]: Cannot find package 'tldts'\n    at a (b:1:2) {\n  code: 'ERR_X'\n}\n\nNode.js v24.1.0\n",
    "Cannot find package 'tldts'",
  ],
  ['', 'It said nothing.'],
  [
    '{"level":30,"msg":"listening"}\nSMTP_URL is missing: a mail server.\nPUBLIC_URL is missing: the address.\n',
    'SMTP_URL is missing: a mail server.\nPUBLIC_URL is missing: the address.',
  ],
])('the last message of a process with the output %j is %j', (output, message) => {
  expect(lastMessage(output)).toBe(message);
});

const line = (level: number, msg: string, err?: string) => `${JSON.stringify({ level, msg, ...(err ? { err: { message: err } } : {}) })}\n`;

test.each([
  [
    'an outage that it outlived',
    `connect ECONNREFUSED 127.0.0.1:1\n${line(30, 'listening')}`,
    null,
    1,
    'It ended with the exit code 1, and gave no reason.',
  ],
  [
    'a signal from outside',
    `${line(50, 'a job failed', 'no such host')}`,
    'SIGKILL',
    null,
    'It was ended by the signal SIGKILL, from outside.',
  ],
  ['what it said at its end', `${line(50, 'x', 'an older error')}SECRET_KEY is not the one.\n`, null, 1, 'SECRET_KEY is not the one.'],
  ['its last error, in its log', `older words\n${line(30, 'listening')}${line(50, 'stopping failed', 'no disk')}`, null, 1, 'no disk'],
  ['nothing at all', '', null, 7, 'It ended with the exit code 7, and gave no reason.'],
] as const)('the reason why a process ended is found in its output: %s', (_what, output, signal, code, expectedReason) => {
  expect(endReason(output, { code, signal })).toBe(expectedReason);
});

test('following a log delivers each line once, also the last line and a line written in two steps', async () => {
  const child = run(
    `process.stdout.write('one\\ntw'); await new Promise((r) => setTimeout(r, 600)); console.log('o'); console.log('three');`,
  );
  const receivedLines: string[] = [];
  child.follow((line) => receivedLines.push(line));
  await until('three lines', () => receivedLines.length === 3);
  await child.ended;
  expect(receivedLines).toEqual(['one', 'two', 'three']);
});

test('npm start prints only log lines marked for the operator', () => {
  expect(operatorLines('{"level":40,"operator":true,"msg":"No mail server answers."}')).toBe('No mail server answers.');
  expect(operatorLines(line(40, 'a list could not be fetched').trim())).toBeNull();
  expect(operatorLines('"operator":true')).toBeNull();
});
