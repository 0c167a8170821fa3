// Runs in a view of the disk of its own, as the service of the package has one. Arguments: the folder that is the disk, and the unit's text. Says
// `ready`, and then does as it is told on its input, a line each: has names asked of us and blocked in the hosts file (`take`), puts both back
// (`back`), writes to a file (`write etc/x`). Says `done`, or the code of the error.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hostsFile } from '../network/hosts-file.ts';
import { systemResolver } from '../os/linux/system-resolver.ts';

const [root = '', unit = ''] = process.argv.slice(2);
const settings = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].flatMap(([, value = '']) => value.split(' '));
/** systemd.exec(5): what each value shuts. */
const shutBy: Record<string, string[]> = { yes: ['/usr', '/boot', '/efi'], full: ['/usr', '/boot', '/efi', '/etc'], strict: ['/'] };
const paths = new Map<string, 'ro' | 'rw'>();
for (const path of settings('ProtectSystem').flatMap((value) => shutBy[value] ?? [])) paths.set(path, 'ro');
for (const path of settings('ReadOnlyPaths')) paths.set(path.replace(/^-/, ''), 'ro');
for (const path of settings('ReadWritePaths')) paths.set(path.replace(/^-/, ''), 'rw');
const there = [...paths].filter(([path]) => existsSync(join(root, path))).toSorted(([a], [b]) => a.length - b.length);
for (const [path] of there) execFileSync('mount', ['--bind', join(root, path), join(root, path)]);
for (const [path, how] of there) execFileSync('mount', ['-o', `remount,bind,${how}`, join(root, path)]);

const [names, hosts] = [systemResolver(root, null), hostsFile(join(root, 'etc/hosts'))];
const steps: Record<string, (path: string) => Promise<void>> = {
  take: () => names.pointTo('127.0.0.1').then(() => hosts.write(['evil.test'])),
  back: () => names.restore().then(hosts.restore),
  write: (path) => appendFile(join(root, path), 'x'),
};
console.log('ready');
for await (const line of createInterface(process.stdin)) {
  const [step = '', path = ''] = line.split(' ');
  const said = await steps[step]?.(path).then(
    () => 'done',
    (err: NodeJS.ErrnoException) => String(err.code ?? err),
  );
  console.log(said);
}
