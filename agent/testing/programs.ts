import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ProcEntry, pids, readStat } from '../os/linux/proc.ts';
import { processOf } from '../os/linux/watch.ts';
import type { ProcessSeen } from '../os/port.ts';
import { temporaryFolder } from './agent.ts';
import { until } from './until.ts';

/** A program of this name that sleeps as long as it is told, or is a copy of another one. The name is on no list: an agent that runs here must not end it. */
export async function idler(name: string, of = '/bin/sleep'): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await copyFile(of, path);
  onTestFinished(() => {
    for (const { pid } of runningFrom(path)) process.kill(pid, 'SIGKILL');
  });
  return path;
}

/** Killed when the test is over. `input`: what it reads. */
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

/** All that run this file. */
export function runningFrom(path: string): ProcessSeen[] {
  const alive = pids().flatMap((pid) => readStat(pid) ?? []);
  return alive
    .filter(({ state }) => state !== 'Z')
    .map(processOf)
    .filter((process) => process.path === path);
}

/** Once it runs what it was started for, and not the copy of us that it is at first. */
export function ready(pid: number, file: string): Promise<ProcessSeen> {
  return until(`${file} to run`, () => {
    const process = processOf(stat(pid));
    return process.path === file ? process : null;
  });
}
