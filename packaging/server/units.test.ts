import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { requirePrograms } from '../testing/skip.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const names = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name));
const services = ['porchlight.service', 'porchlight-backup.service'];
/** Highest allowed exposure, in tenths of systemd's score (10.0 for an unrestricted root service). */
const exposure = 20;

/** Each setting with its values, in order. */
function unit(name: string): Record<string, string[]> {
  const settings: Record<string, string[]> = {};
  for (const [, key = '', value = ''] of readFileSync(join(folder, name), 'utf8').matchAll(/^(\w+)=(.*)$/gm))
    (settings[key] ??= []).push(value);
  return settings;
}

test('systemd-analyze finds nothing wrong in the units of the server', (context) => {
  requirePrograms(context, { 'systemd-analyze': 'systemd' });
  expect(names).toEqual(['porchlight-backup.service', 'porchlight-backup.timer', 'porchlight.service']);
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...names.map((name) => join(folder, name))], {
    encoding: 'utf8',
  });
  expect([status, stdout + stderr]).toEqual([0, '']);
});

test.for(services)('systemd-analyze rates the exposure of %s no higher than allowed', (name, context) => {
  requirePrograms(context, { 'systemd-analyze': 'systemd' });
  const options = ['security', '--offline=true', '--no-pager', `--threshold=${exposure}`];
  const { status, stdout } = spawnSync('systemd-analyze', [...options, join(folder, name)], { encoding: 'utf8' });
  expect(stdout).toMatch(new RegExp(`Overall exposure level for ${name}: \\d+\\.\\d`));
  expect(status, stdout).toBe(0);
});

test.each(services)('%s runs a program of this repository as a user without rights of its own', (name) => {
  const { ExecStart, User, NoNewPrivileges, CapabilityBoundingSet, ProtectSystem, EnvironmentFile } = unit(name);
  expect({ User, NoNewPrivileges, CapabilityBoundingSet, ProtectSystem, EnvironmentFile }).toEqual({
    User: ['porchlight'],
    NoNewPrivileges: ['yes'],
    CapabilityBoundingSet: [''],
    ProtectSystem: ['strict'],
    EnvironmentFile: ['/etc/porchlight/env'],
  });
  const script = /^\/usr\/bin\/env node (\S+)/.exec(ExecStart?.[0] ?? '')?.[1] ?? '';
  expect(existsSync(join(root, script)), script).toBe(true);
});

test('the server is restarted however it ends, and has longer to stop than it takes', () => {
  const { Restart, RestartSec, StartLimitIntervalSec, TimeoutStopSec } = unit('porchlight.service');
  expect({ Restart, StartLimitIntervalSec }).toEqual({ Restart: ['always'], StartLimitIntervalSec: ['0'] });
  expect(Number(RestartSec?.[0])).toBeLessThan(10);
  // After 15 seconds the server ends itself.
  expect(Number(TimeoutStopSec?.[0])).toBeGreaterThan(15);
});

test('the socket of the embedded PostgreSQL is outside of the private /tmp, where a backup reaches it', () => {
  const { Environment, RuntimeDirectory } = unit('porchlight.service');
  expect(Environment?.join(' ')).toContain(`TMPDIR=/run/${RuntimeDirectory?.[0]}`);
  // An end of one unit would remove the folder, or the shared memory, that the other one uses.
  for (const setting of ['RuntimeDirectory', 'RemoveIPC', 'PrivateIPC'])
    expect(unit('porchlight-backup.service')).not.toHaveProperty(setting);
  for (const setting of ['RemoveIPC', 'PrivateIPC']) expect(unit('porchlight.service')).not.toHaveProperty(setting);
});

test('a backup is made every day, after an outage too, with the settings and the restrictions of the server', () => {
  const timer = unit('porchlight-backup.timer');
  expect(timer).toMatchObject({ OnCalendar: ['*-*-* 03:00:00'], Persistent: ['true'], RandomizedDelaySec: ['45min'] });
  const [server, backup] = services.map(unit);
  const restrictions = Object.entries(server ?? {}).filter(([key]) =>
    /^(Protect|Private|Restrict|SystemCall|Lock|NoNew|Capability|UMask|BindPaths|StateDirectory|User|WorkingDirectory)/.test(key),
  );
  expect(restrictions.length).toBeGreaterThan(15);
  expect(backup).toMatchObject(Object.fromEntries(restrictions));
  expect(backup?.ExecStart).toEqual([
    '/usr/bin/env node dev/porchlight.mjs backup --to /var/backups/porchlight --keep 14 --passphrase-file /etc/porchlight/backup-passphrase',
  ]);
  expect(backup?.ReadWritePaths).toEqual(['/var/backups/porchlight']);
});
