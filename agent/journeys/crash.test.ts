// Tier: whole. It kills agents as processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readOptions } from '../cli/options.ts';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { killTrial } from '../testing/kill-trial.ts';
import { type Run, runAgent } from '../testing/process.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

function agent(server: TestServer, folder: string, args: string[] = [], input = ''): Run {
  const run = runAgent(server, folder, args, input);
  onTestFinished(() => void run.child.kill('SIGKILL'));
  return run;
}

/** The program has a random name, because the agent watches all processes of this computer. */
async function anydesk(name: string): Promise<ChildProcess> {
  const file = join(await temporaryFolder(), name);
  await copyFile('/bin/sleep', file);
  const child = spawn(file, ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('the agent as a process', () => {
  it.each([1, 2, 3])('[P4.5] a detection made while the server was off arrives once although the agent is killed (round %i)', async () => {
    const server = await serverForTest();
    const name = `AnyDesk-${randomUUID()}`;
    const anydeskDefinitions = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
    const definitions = anydeskDefinitions.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } }));
    server.setDefinitions({ definitions });
    const folder = join(await temporaryFolder(), 'data');
    const firstAgent = agent(server, folder, ['--code', 'ABCD-EFGH']);
    await firstAgent.printed('Linked as Laptop.');
    const has = (...file: string[]) => existsSync(join(folder, ...file));
    await until('policy and definitions', () => has('policy.json') && has('definitions', 'feed.json'));
    await server.down();

    const program = await anydesk(name);
    await firstAgent.printed('Stopped AnyDesk.');
    firstAgent.child.kill('SIGKILL');
    expect(await firstAgent.ended).toBe('SIGKILL');
    // Its end may be reported after the agent's.
    await until('the end of the program', () => program.signalCode !== null || program.exitCode !== null);
    expect(program.signalCode).toBe('SIGKILL');
    expect(server.sent).toEqual([]);

    await server.listen();
    const secondAgent = agent(server, folder);
    await secondAgent.printed('Porchlight protects this computer as Laptop.');
    await until('the report', () => server.sent.length > 0);
    await until('the disk to be empty', async () => (await readdir(join(folder, 'detections'))).length === 0);
    secondAgent.child.kill('SIGTERM');
    expect(await secondAgent.ended).toBe(0);
    expect(server.sent).toHaveLength(1);
    expect(server.sent[0]).toMatchObject({ identifier: 'anydesk', blocked: true });
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
  });

  it('[P4.5] an agent killed at random moments loses no detection and reports none twice', async () => {
    expect(await killTrial(await temporaryFolder(), 3)).toEqual([]);
  });

  it('a second agent on the same folder exits with an explanation', async () => {
    const server = await serverForTest();
    const folder = await temporaryFolder();
    const firstAgent = agent(server, folder);
    await firstAgent.printed('not linked yet');
    const secondAgent = agent(server, folder);
    expect(await secondAgent.ended).toBe(1);
    expect(secondAgent.output()).toMatch(/^Another Porchlight agent already runs on .*\n$/);
    firstAgent.child.kill('SIGTERM');
    expect(await firstAgent.ended).toBe(0);
  });

  it('a refused code ends the agent with the server’s explanation', async () => {
    const server = await serverForTest();
    server.enrolled.push('ABCD-EFGH');
    const run = agent(server, await temporaryFolder(), ['--code', 'abcdefgh']);
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain('This code has already been used.');
  });

  it('[6.8] a refused code from the installer’s name leaves the free plan in force', async () => {
    const server = await serverForTest();
    server.setDefinitions({ definitions: [] });
    server.enrolled.push('ABCD-EFGH');
    const run = agent(server, await temporaryFolder(), ['--installer', 'Porchlight [ABCD-EFGH].exe']);
    await run.printed('The free plan protects this computer meanwhile.');
    expect(run.output()).toContain('This code has already been used.');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
  });

  it('an agent with a code waits for a server that does not answer yet', async () => {
    const server = await serverForTest();
    server.setDefinitions({ definitions: [] });
    await server.down();
    const run = agent(server, await temporaryFolder(), ['--code', 'ABCD-EFGH']);
    await run.printed('The server cannot be reached yet.');
    await server.listen();
    await run.printed('Linked as Laptop.');
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(0);
  });

  it('a missing state folder is created', async () => {
    const server = await serverForTest();
    const parentFolder = await temporaryFolder();
    await mkdir(join(parentFolder, 'there'));
    const folder = join(parentFolder, 'there', 'not', 'yet');
    const run = agent(server, folder, ['--what']);
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain('--code ABCD-EFGH');
    expect(await readdir(join(parentFolder, 'there'))).toEqual([]);
    const startedAgent = agent(server, folder);
    await startedAgent.printed('not linked yet');
    startedAgent.child.kill('SIGTERM');
    expect(await startedAgent.ended).toBe(0);
    expect(await readdir(folder)).toContain('detections');
  });
});

describe('readOptions', () => {
  it('readOptions accepts a code, a link, or nothing', () => {
    expect(readOptions([])).toBeNull();
    expect(readOptions(['--code', 'ABCD-EFGH'])).toEqual({ code: 'ABCD-EFGH' });
    expect(readOptions(['--code=ABCD-EFGH'])).toEqual({ code: 'ABCD-EFGH' });
    expect(readOptions(['--link', 'porchlight://link?x', '--signature', 's'])).toEqual({
      link: { uri: 'porchlight://link?x', signature: 's' },
    });
  });

  it("[6.8] readOptions accepts the free plan, and an installer's name with or without a code", () => {
    expect(readOptions(['--free'])).toEqual({ free: true });
    expect(readOptions(['--installer', 'Porchlight.exe'])).toEqual({ free: true });
    expect(readOptions(['--installer', 'Porchlight [ABCD-EFGH] (1).exe'])).toEqual({ code: 'ABCD-EFGH', free: true });
  });

  it.each([
    [['--what']],
    [['ABCD-EFGH']],
    [['--code']],
    [['--code=']],
    [['--link', 'x']],
    [['--signature', 'x']],
    [['--code', 'x', '--link', 'y', '--signature', 'z']],
    [['--code', 'x', '--signature', 'z']],
    [['--code', 'x', '--free']],
    [['--link', 'x', '--signature', 'y', '--free']],
    [['--free', '--installer', 'x']],
    [['--free=yes']],
    [['--installer=']],
  ])('readOptions explains the options after %j', (args) => {
    expect(() => readOptions(args)).toThrow('Start it with --code ABCD-EFGH');
  });
});
