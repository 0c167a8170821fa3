import { existsSync } from 'node:fs';
import { lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { services } from './services.ts';

const systemctl = '/usr/bin/systemctl';
const offState = { running: false, enabled: false };

it('[P4.1] systemctl disables a service, and enables it again', async ({ skip }) => {
  if (!existsSync(systemctl)) {
    console.warn('needs systemctl');
    skip();
  }
  const root = await temporaryFolder();
  const unitsFolder = join(root, 'etc/systemd/system');
  const wantsFolder = join(unitsFolder, 'multi-user.target.wants');
  await mkdir(wantsFolder, { recursive: true });
  for (const name of ['anydesk.service', 'other.service']) {
    await writeFile(join(unitsFolder, name), '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n');
    await symlink(join('..', name), join(wantsFolder, name));
  }
  const { serviceState, setService } = services(systemctl, [`--root=${root}`]);
  const [service, stateBefore] = [{ name: 'anydesk.service' }, { running: false, enabled: true }];
  expect(await serviceState(service)).toEqual(stateBefore);
  expect(await setService(service, offState)).toBe(true);
  expect(await serviceState(service)).toEqual(offState);
  await expect(lstat(join(wantsFolder, 'anydesk.service'))).rejects.toThrow('ENOENT');
  expect((await lstat(join(wantsFolder, 'other.service'))).isSymbolicLink()).toBe(true);
  expect([await setService(service, offState), await setService(service, stateBefore), await serviceState(service)]).toEqual([
    true,
    true,
    stateBefore,
  ]);
});

it('a missing or misnamed service has no state and is not changed, also without systemctl', async () => {
  const root = await temporaryFolder();
  const { serviceState, setService } = services(systemctl, [`--root=${root}`]);
  for (const name of ['no.service', '--root=/', 'a b', '']) expect([name, await serviceState({ name })]).toEqual([name, null]);
  expect(await setService({ name: 'no.service' }, offState)).toBe(true);
  expect(await setService({ name: 'no.service' }, { running: true, enabled: true })).toBe(false);
  expect(await services(null).serviceState({ name: 'anydesk.service' })).toBeNull();
});
