import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

export const hasApt = (): boolean => existsSync('/usr/bin/apt-get');
export const canInstall = (): boolean => process.getuid?.() === 0 && hasApt();

export function aptInstall(name: string): boolean {
  if (!canInstall()) return false;
  console.log(`Installing Debian's ${name} for the tests.`);
  const install = () => apt(['install', '-y', '-q', '--no-install-recommends', name]);
  return install() || (apt(['update', '-q']) && install());
}

/** Writes one file or folder of a package into `folder`, and installs nothing: any user may, and no service is started. `path`: as `./usr/bin/…`. */
export function aptUnpack(name: string, path: string, folder: string): boolean {
  // The download fails where apt has no lists yet, which only root can fetch.
  const download = () => apt(['download', '-q', name], folder);
  if (!hasApt() || !(download() || (canInstall() && apt(['update', '-q']) && download()))) return false;
  const archive = readdirSync(folder).find((file) => file.startsWith(`${name}_`) && file.endsWith('.deb'));
  if (!archive) return false;
  const unpack = spawnSync('sh', ['-c', 'dpkg-deb --fsys-tarfile "$1" | tar -x --no-same-owner "$2"', 'sh', archive, path], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return unpack.status === 0;
}

function apt(args: string[], cwd?: string): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
