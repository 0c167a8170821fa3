// Runs in a view of the disk of its own, as the service of the package has one, with what root keeps of its rights there. Arguments: the folder that is the
// disk, and the unit's text. Says `ready`, and then does as it is told on its input, a line each: has names asked of us and blocked in the hosts file
// (`take`), puts both back (`back`), writes to a file (`write etc/x`), puts one away (`away home/ann/x`), and all that is put away back (`return`). Says
// `done`, or the code of the error.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hostsFile } from '../dns-filter/hosts-file.ts';
import { readSystemClock } from '../lib/clock.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { systemResolver } from '../os/linux/system-resolver.ts';
import { openQuarantine } from '../quarantine/quarantine.ts';

const [root = '', unit = '', inside = ''] = process.argv.slice(2);
const settings = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].flatMap(([, value = '']) => value.split(' '));
/** systemd.exec(5): what each value shuts. */
const shutBy: Record<string, string[]> = { yes: ['/usr', '/boot', '/efi'], full: ['/usr', '/boot', '/efi', '/etc'], strict: ['/'] };

/** Mounts what the unit shuts and opens, and goes on with what the unit leaves of root's rights. */
function narrow(): void {
  const paths = new Map<string, 'ro' | 'rw'>();
  for (const path of settings('ProtectSystem').flatMap((value) => shutBy[value] ?? [])) paths.set(path, 'ro');
  for (const path of settings('ReadOnlyPaths')) paths.set(path.replace(/^-/, ''), 'ro');
  for (const path of settings('ReadWritePaths')) paths.set(path.replace(/^-/, ''), 'rw');
  for (const name of settings('StateDirectory')) paths.set(`/var/lib/${name}`, 'rw');
  for (const name of settings('RuntimeDirectory')) paths.set(`/run/${name}`, 'rw');
  const there = [...paths].filter(([path]) => existsSync(join(root, path))).toSorted(([a], [b]) => a.length - b.length);
  for (const [path] of there) execFileSync('mount', ['--bind', join(root, path), join(root, path)]);
  for (const [path, how] of there) execFileSync('mount', ['-o', `remount,bind,${how}`, join(root, path)]);
  const kept = settings('CapabilityBoundingSet').map((name) => `+${name.replace(/^CAP_/, '').toLowerCase()}`);
  const rights = [`--bounding-set=-all,${kept.join(',')}`, '--inh-caps=-all', '--no-new-privs'];
  const self = [process.execPath, fileURLToPath(import.meta.url), root, unit, 'inside'];
  const child = spawn('setpriv', [...rights, '--', ...self], { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
}

async function obey(): Promise<void> {
  const [names, hosts] = [systemResolver(root, null), hostsFile(join(root, 'etc/hosts'))];
  const whose = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' } as const;
  const quarantine = await openQuarantine(join(root, 'var/lib/porchlight-agent/kept'), fakeOs(), readSystemClock);
  const must = async (outcome: Promise<{ done: true } | { done: false; why: string }>) => {
    const came = await outcome;
    if (!came.done) throw new Error(came.why);
  };
  const steps: Record<string, (path: string) => Promise<void>> = {
    take: () => names.pointTo('127.0.0.1').then(() => hosts.write(['evil.test'])),
    back: () => names.restore().then(hosts.restore),
    write: (path) => appendFile(join(root, path), 'x'),
    away: (path) => must(quarantine.takeFile({ path: join(root, path) }, whose)),
    async return() {
      for (const { uuid } of await quarantine.held()) await must(quarantine.undo(uuid));
    },
  };
  console.log('ready');
  for await (const line of createInterface(process.stdin)) {
    const [step = '', path = ''] = line.split(' ');
    const said = await steps[step]?.(path).then(
      () => 'done',
      (err: NodeJS.ErrnoException) => String(err.code ?? err.message),
    );
    console.log(said);
  }
}

if (inside) await obey();
else narrow();
