import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { timeZone } from './linux.ts';

test('the time zone comes from TZ or the localtime link, otherwise from the JavaScript engine', async () => {
  const folder = await temporaryFolder();
  const zoneOfLink = async (target: string) => {
    const link = join(folder, target.replaceAll('/', '-'));
    await symlink(target, link);
    return timeZone(undefined, link);
  };
  expect(await zoneOfLink('/usr/share/zoneinfo/Europe/Berlin')).toBe('Europe/Berlin');
  expect(await zoneOfLink('../usr/share/zoneinfo/America/Argentina/Buenos_Aires')).toBe('America/Argentina/Buenos_Aires');
  expect(await zoneOfLink('/usr/share/zoneinfo/Etc/UTC')).toBe('UTC');
  expect(timeZone('Asia/Tokyo', join(folder, 'none'))).toBe('Asia/Tokyo');
  const engineZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(timeZone(undefined, join(folder, 'none'))).toBe(engineZone);
  expect(timeZone('CET-1CEST', join(folder, 'none'))).toBe(engineZone);
  expect(await zoneOfLink('/usr/share/zoneinfo/../../evil\n/x')).toBe(engineZone);
});
