import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataLock, lockDataFolder } from '../../../lib/data-lock.ts';
import type { StripeSettings } from '../payments.ts';

const pathIn = (folder: string) => join(folder, 'address.json');

/** Only its owner may read it: the key is in it. */
export async function keepAddress(folder: string, settings: StripeSettings): Promise<() => Promise<void>> {
  await writeFile(pathIn(folder), JSON.stringify(settings), { mode: 0o600 });
  return () => rm(pathIn(folder), { force: true });
}

/** The till that runs on this folder, in whatever process; null when none answers. */
export async function runningTill(folder: string): Promise<StripeSettings | null> {
  const kept = await readFile(pathIn(folder), 'utf8').catch(() => null);
  if (kept === null) return null;
  try {
    const settings = JSON.parse(kept) as StripeSettings;
    const headers = { authorization: `Bearer ${settings.secret_key}` };
    const { ok } = await fetch(`${settings.api_base}/v1/products?limit=1`, { headers, signal: AbortSignal.timeout(2000) });
    return ok ? settings : null;
  } catch {
    // A process that was killed leaves its address behind.
    return null;
  }
}

/** One till on one folder, so that nothing is lost. A command has it for a moment only, so it is waited for; `ms`: how long. */
export async function lockTill(folder: string, ms: number): Promise<DataLock | null> {
  for (const end = Date.now() + ms; ; await sleep(50)) {
    const lock = await lockDataFolder(folder);
    if (lock || Date.now() >= end) return lock;
  }
}
