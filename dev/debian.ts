import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

export function aptInstall(name: string): boolean {
  if (!canInstall()) return false;
  console.log(`Installing Debian's ${name} for the tests.`);
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['ignore', 'ignore', 'inherit'] })
      .status === 0;
  const install = () => apt('install', '-y', '-q', '--no-install-recommends', name);
  return install() || (apt('update', '-q') && install());
}
