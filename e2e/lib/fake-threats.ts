import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Threats {
  /** Starts a fake threat, which ends after five minutes. */
  run(name: string): ChildProcess;
  close(): Promise<void>;
}

/** Copies of `sleep` with the names of harmful programs. */
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
