import { join } from 'node:path';
import { compileSet } from '@porchlight/definitions/match.ts';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';
import { diskScanner } from './scanner.ts';

it('closing waits for a running scan, but not longer than its timeout', async () => {
  for (const held of [true, false]) {
    const listing = Promise.withResolvers<never>();
    let asked = false;
    const failed: unknown[] = [];
    const never = () => expect.unreachable();
    const scanner = await diskScanner({
      os: {
        listing: () => {
          asked = true;
          return listing.promise;
        },
      },
      folder: join(await temporaryFolder(), 'looks'),
      protectStored: never,
      quarantine: {
        undo: never,
        held: async () => [],
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
      foundNew: never,
      queued: never,
      failed: (err) => void failed.push(err),
      timeout: held ? 50 : 60_000,
    });
    scanner.consider();
    await until('the look', () => asked);
    if (!held) listing.reject(new Error('no listing'));
    await scanner.close();
    expect(failed.map(String)).toEqual([held ? 'Error: what was begun is not over yet' : 'Error: no listing']);
  }
});
