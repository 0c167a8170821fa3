import { join } from 'node:path';
import { compileSet } from '@porchlight/definitions/match.ts';
import { expect, it } from 'vitest';
import { unguarded } from '../lib/user-file-work.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';
import { diskScanner } from './scanner.ts';

it('closing the disk scanner waits for a running scan, but not longer than the timeout', async () => {
  for (const hangs of [true, false]) {
    const listing = Promise.withResolvers<never>();
    let listingRequested = false;
    const failed: unknown[] = [];
    const neverCalled = () => expect.unreachable();
    const scanner = await diskScanner({
      os: {
        listing: () => {
          listingRequested = true;
          return listing.promise;
        },
      },
      folder: join(await temporaryFolder(), 'looks'),
      protectStored: neverCalled,
      quarantine: {
        undo: neverCalled,
        quarantined: async () => [],
        deleteOld: () => new Promise(() => {}),
        close: async () => {},
      },
      now: () => new Date(),
      activeRules: () => ({
        device: null,
        rules: { actions: {}, block_likely: false, allow: [] } as never,
        set: compileSet({ version: 1, issued: '2026-01-01T00:00:00Z', definitions: [] }),
        version: 1,
      }),
      foundNew: neverCalled,
      queued: neverCalled,
      guard: unguarded,
      failed: (err) => void failed.push(err),
      timeout: hangs ? 50 : 60_000,
    });
    scanner.consider();
    await until('the look', () => listingRequested);
    if (!hangs) listing.reject(new Error('no listing'));
    await scanner.close();
    expect(failed.map(String)).toEqual([hangs ? 'Error: what was begun is not over yet' : 'Error: no listing']);
  }
});
