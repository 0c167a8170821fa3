import { expect, it } from 'vitest';
import { readSystemClock } from '../lib/clock.ts';
import { openStore } from '../state/store.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { uninstallCommand, uninstallExit } from './uninstall.ts';

it.each<[string, { command: string; dns: () => Promise<boolean>; code: number; released: number }]>([
  ['an uninstall', { command: '--uninstall', dns: async () => true, code: uninstallExit.done, released: 1 }],
  ['the check of a PIN', { command: '--verify-pin', dns: async () => true, code: uninstallExit.done, released: 0 }],
  [
    'an uninstall that fails',
    { command: '--uninstall', dns: () => Promise.reject(new Error('No settings.')), code: uninstallExit.failed, released: 0 },
  ],
])(
  '[P12.7] administrators get the rights of the service back only by a finished uninstall: %s',
  async (_what, { command, dns, code, released }) => {
    let releases = 0;
    const store = await openStore(await temporaryFolder());
    const exitCode = await uninstallCommand([command], async () => ({
      ...{ store, server: 'http://127.0.0.1:1', readClock: readSystemClock, pin: async () => '', log: () => {} },
      ...{ restoreNetwork: async () => [], restoreDns: dns, restoreBrowsers: async () => [] },
      releaseService: () => void releases++,
    }));
    expect([exitCode, releases]).toEqual([code, released]);
  },
);
