import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { timeZone } from './time-zone.ts';

test('the time zone has the name that the system gives it', async () => {
  const folder = await temporaryFolder();
  const linked = async (to: string) => {
    const link = join(folder, to.replaceAll('/', '-'));
    await symlink(to, link);
    return timeZone(undefined, link);
  };
  expect(await linked('/usr/share/zoneinfo/Europe/Berlin')).toBe('Europe/Berlin');
  expect(await linked('../usr/share/zoneinfo/America/Argentina/Buenos_Aires')).toBe('America/Argentina/Buenos_Aires');
  expect(await linked('/usr/share/zoneinfo/Etc/UTC')).toBe('UTC');
  expect(timeZone('Asia/Tokyo', join(folder, 'none'))).toBe('Asia/Tokyo');
  // What cannot be told from a name is asked of the engine.
  const engine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(timeZone(undefined, join(folder, 'none'))).toBe(engine);
  expect(timeZone('CET-1CEST', join(folder, 'none'))).toBe(engine);
  expect(await linked('/usr/share/zoneinfo/../../evil\n/x')).toBe(engine);
});
