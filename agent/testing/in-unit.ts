// Runs in a mount namespace with the restrictions of a systemd unit. Arguments: the root folder, and the unit's text. Prints `ready`, then
// executes input lines: `take` redirects DNS and blocks a name in the hosts file, `back` restores both, `write etc/x` appends to a file,
// `away home/ann/x` quarantines a file, `return` restores all. Prints `done` or the error code.
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
/** The read-only paths for each value of ProtectSystem, see systemd.exec(5). */
const readOnlyPaths: Record<string, string[]> = { yes: ['/usr', '/boot', '/efi'], full: ['/usr', '/boot', '/efi', '/etc'], strict: ['/'] };

function applyRestrictions(): void {
  const paths = new Map<string, 'ro' | 'rw'>();
  for (const path of settings('ProtectSystem').flatMap((value) => readOnlyPaths[value] ?? [])) paths.set(path, 'ro');
  for (const path of settings('ReadOnlyPaths')) paths.set(path.replace(/^-/, ''), 'ro');
  for (const path of settings('ReadWritePaths')) paths.set(path.replace(/^-/, ''), 'rw');
  for (const name of settings('StateDirectory')) paths.set(`/var/lib/${name}`, 'rw');
  for (const name of settings('RuntimeDirectory')) paths.set(`/run/${name}`, 'rw');
  const existingPaths = [...paths].filter(([path]) => existsSync(join(root, path))).toSorted(([a], [b]) => a.length - b.length);
  for (const [path] of existingPaths) execFileSync('mount', ['--bind', join(root, path), join(root, path)]);
  for (const [path, access] of existingPaths) execFileSync('mount', ['-o', `remount,bind,${access}`, join(root, path)]);
  const capabilities = settings('CapabilityBoundingSet').map((name) => `+${name.replace(/^CAP_/, '').toLowerCase()}`);
  const rights = [`--bounding-set=-all,${capabilities.join(',')}`, '--inh-caps=-all', '--no-new-privs'];
  const self = [process.execPath, fileURLToPath(import.meta.url), root, unit, 'inside'];
  const child = spawn('setpriv', [...rights, '--', ...self], { stdio: 'inherit' });
  child.once('exit', (code) => process.exit(code ?? 1));
}

async function runCommands(): Promise<void> {
  const [names, hosts] = [systemResolver(root, null), hostsFile(join(root, 'etc/hosts'))];
  const whose = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' } as const;
  const quarantine = await openQuarantine(join(root, 'var/lib/porchlight-agent/kept'), fakeOs(), readSystemClock);
  const requireDone = async (outcome: Promise<{ done: true } | { done: false; why: string }>) => {
    const result = await outcome;
    if (!result.done) throw new Error(result.why);
  };
  const steps: Record<string, (path: string) => Promise<void>> = {
    take: () => names.pointTo('127.0.0.1').then(() => hosts.write(['evil.test'])),
    back: () => names.restore().then(hosts.restore),
    write: (path) => appendFile(join(root, path), 'x'),
    away: (path) => requireDone(quarantine.takeFile({ path: join(root, path) }, whose)),
    async return() {
      for (const { uuid } of await quarantine.quarantined()) await requireDone(quarantine.undo(uuid));
    },
  };
  console.log('ready');
  for await (const line of createInterface(process.stdin)) {
    const [step = '', path = ''] = line.split(' ');
    const result = await steps[step]?.(path).then(
      () => 'done',
      (err: NodeJS.ErrnoException) => String(err.code ?? err.message),
    );
    console.log(result);
  }
}

if (inside) await runCommands();
else applyRestrictions();
