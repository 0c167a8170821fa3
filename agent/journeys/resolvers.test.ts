// Tier: whole. It starts and kills agents beside real resolvers.
import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolvedEnvironment, resolvedProgram } from '@porchlight/packaging/testing/systemd-resolved.ts';
import { findProgram } from '@porchlight/packaging/testing/unpacked-program.ts';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { skipTest } from '../testing/left-out.ts';
import { trialResults } from '../testing/trial-results.ts';

const namespaces = ['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const possible = process.platform === 'linux' && spawnSync('unshare', [...namespaces, 'ip', 'link', 'set', 'lo', 'up']).status === 0;
const trial = fileURLToPath(new URL('../testing/resolver-trial.ts', import.meta.url));
// Without a network card the C library and systemd-resolved ask nobody.
const network = [
  'ip link set lo up && ip addr add 192.0.2.99/32 dev lo',
  'ip link add card type veth peer name far && ip addr add 198.51.100.2/24 dev card && ip link set card up && ip link set far up',
];
const folders = [
  'mount -t tmpfs tmpfs /run && mkdir /run/etc && (cp -r /etc/. /run/etc 2>/dev/null; mount --bind /run/etc /etc)',
  'echo "systemd-resolve:x:0:0::/:/bin/false" >> /etc/passwd',
  'touch /usr/bin/systemctl 2>/dev/null; mount --bind "$0" /usr/bin/systemctl',
];
const kinds = ['file', 'rotate', 'network_manager', 'dangling', 'resolved'] as const;

const always = {
  'ours of 12 lookups': 12,
  'an address of the network': '192.0.2.9',
  'the network has changed': true,
  'while the filter is dead': true,
  'ours after the filter was killed': true,
  'as before after the stop': true,
};
const isLink = { 'the link is a link': true };
const expected: Record<(typeof kinds)[number], object> = {
  ...{ file: always, rotate: always, network_manager: { ...always, ...isLink }, resolved: always },
  dangling: { 'without a target': [true, 0], ...always, ...isLink },
};

it.for(kinds)(
  '[P4.7] beside the resolver "%s" names go through the filter over a change of the network and kills, and as before after its end',
  { timeout: 180_000 },
  async (kind, context) => {
    const program = kind === 'resolved' ? findProgram(resolvedProgram) : '';
    if (!possible) skipTest(context, 'no network namespace may be made here, and this computer’s own names are not touched.');
    if (program === null) skipTest(context, 'systemd-resolved is not on this system, and could not be unpacked.');
    const folder = await temporaryFolder();
    const systemctl = join(folder, 'systemctl');
    await writeFile(systemctl, '#!/bin/sh\nexit 1\n');
    await chmod(systemctl, 0o755);
    const env = { ...process.env, AGENT_DATA_DIR: join(folder, 'data'), AGENT_LOOPBACK_PORT: '0', PORCHLIGHT_SERVER: 'http://localhost:1' };
    const command = [process.execPath, trial, kind, program ?? '', resolvedEnvironment.LD_LIBRARY_PATH];
    const script = [...network, ...folders, 'exec "$@"'].join(' && ');
    const results = await trialResults(['unshare', ...namespaces, 'sh', '-c', script, systemctl, ...command], env);
    expect(results).toEqual(expected[kind]);
  },
);
