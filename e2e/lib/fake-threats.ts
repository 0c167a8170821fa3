import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Threats {
  /** Runs a harmless program under a name; it would sleep for five minutes. */
  run(name: string): ChildProcess;
  close(): Promise<void>;
}

/** Harmless programs that are called like harmful ones: copies of `sleep`. Ends only what it started. */
export async function threats(names: string[]): Promise<Threats> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-threat-'));
  for (const name of names) await copyFile('/bin/sleep', join(folder, name));
  const running = new Set<ChildProcess>();
  return {
    run(name) {
      const child = spawn(join(folder, name), ['300'], { stdio: 'ignore' });
      running.add(child);
      return child;
    },
    async close() {
      for (const child of running) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
