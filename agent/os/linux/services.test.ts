import { existsSync } from 'node:fs';
import { lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { services } from './services.ts';

const systemctl = '/usr/bin/systemctl';
const off = { running: false, enabled: false };

it('[P4.1] switches a service off and on again with the systemctl of this system, on units of our own', async ({ skip }) => {
  if (!existsSync(systemctl)) {
    console.warn('needs systemctl');
    skip();
  }
  const root = await temporaryFolder();
  const units = join(root, 'etc/systemd/system');
  const wants = join(units, 'multi-user.target.wants');
  await mkdir(wants, { recursive: true });
  for (const name of ['anydesk.service', 'other.service']) {
    await writeFile(join(units, name), '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n');
    await symlink(join('..', name), join(wants, name));
  }
  const { serviceState, setService } = services(systemctl, [`--root=${root}`]);
  const [service, before] = [{ name: 'anydesk.service' }, { running: false, enabled: true }];
  expect(await serviceState(service)).toEqual(before);
  expect(await setService(service, off)).toBe(true);
  expect(await serviceState(service)).toEqual(off);
  await expect(lstat(join(wants, 'anydesk.service'))).rejects.toThrow('ENOENT');
  expect((await lstat(join(wants, 'other.service'))).isSymbolicLink()).toBe(true);
  expect([await setService(service, off), await setService(service, before), await serviceState(service)]).toEqual([true, true, before]);
});

it('switching a missing or misnamed service, or without systemctl, does nothing', async () => {
  const root = await temporaryFolder();
  const { serviceState, setService } = services(systemctl, [`--root=${root}`]);
  for (const name of ['no.service', '--root=/', 'a b', '']) expect([name, await serviceState({ name })]).toEqual([name, null]);
  expect(await setService({ name: 'no.service' }, off)).toBe(true);
  expect(await setService({ name: 'no.service' }, { running: true, enabled: true })).toBe(false);
  expect(await services(null).serviceState({ name: 'anydesk.service' })).toBeNull();
});
