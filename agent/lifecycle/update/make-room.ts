import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A file that asks the successor of an update to yield. systemd, launchd and Windows know only the program that they started, which ended
 * after the update; when they start the new program, it creates this file.
 */
const waitingIn = (folder: string) => join(folder, 'waiting');
const POLL_MS = 50;

/** Asks the agent that has the folder to yield. Call `done` when the new agent protects. */
export async function requestTakeover(folder: string): Promise<{ done(): Promise<void> }> {
  await writeFile(waitingIn(folder), '', { mode: 0o600 });
  return { done: () => rm(waitingIn(folder), { force: true }) };
}

/**
 * In a successor: yields on request, and resolves when the new agent protects. If that takes more than `timeout` ms the successor resumes.
 */
export async function yieldToRequests(
  folder: string,
  timeout: number,
  stop: AbortSignal,
  deps: { stepBack(): Promise<void>; takeBack(): Promise<void> },
): Promise<void> {
  while (!stop.aborted) {
    await sleep(POLL_MS);
    if (!existsSync(waitingIn(folder))) continue;
    await deps.stepBack();
    for (const end = performance.now() + timeout; performance.now() < end; await sleep(POLL_MS)) if (!existsSync(waitingIn(folder))) return;
    await rm(waitingIn(folder), { force: true });
    await deps.takeBack();
  }
}
