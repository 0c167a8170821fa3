import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { listPids, type ProcEntry, readStat } from '../os/linux/proc.ts';
import { describeProcess } from '../os/linux/watch.ts';
import type { ProcessSeen } from '../os/port.ts';
import { temporaryFolder } from './agent.ts';
import { until } from './until.ts';

/** Copies a program, by default `sleep`, under a name that is on no list, so that an installed agent does not end it. */
export async function idler(name: string, source = '/bin/sleep'): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await copyFile(source, path);
  onTestFinished(() => {
    for (const { pid } of runningFrom(path)) process.kill(pid, 'SIGKILL');
  });
  return path;
}

export function run(file: string, args: string[], uid?: number, input: 'ignore' | 'pipe' = 'ignore'): ChildProcess & { pid: number } {
  const child = spawn(file, args, { stdio: [input, 'ignore', 'ignore'], ...(uid === undefined ? {} : { uid, gid: uid }) });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.pid === undefined) throw new Error(`${file} did not start`);
  return child as ChildProcess & { pid: number };
}

export function stat(pid: number): ProcEntry {
  const entry = readStat(pid);
  if (!entry) throw new Error(`there is no process ${pid}`);
  return entry;
}

export function runningFrom(path: string): ProcessSeen[] {
  const alive = listPids().flatMap((pid) => readStat(pid) ?? []);
  return alive
    .filter(({ state }) => state !== 'Z')
    .map(describeProcess)
    .filter((process) => process.path === path);
}

/** Waits until the process has called exec, because before it is a fork of this process. */
export function ready(pid: number, file: string): Promise<ProcessSeen> {
  return until(`${file} to run`, () => {
    const process = describeProcess(stat(pid));
    return process.path === file ? process : null;
  });
}
