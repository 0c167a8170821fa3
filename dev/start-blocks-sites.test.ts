// Tier: whole. It starts the product and a filter of sites.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './root.ts';

const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** Changes in /etc are in memory, and end with the namespace. */
const ownEtc =
  'mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work && mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work /etc';
const isPossible =
  process.getuid?.() === 0 &&
  spawnSync('unshare', [...namespaces, 'sh', '-c', `${ownEtc} && ip link set lo up`], { stdio: 'ignore' }).status === 0;
if (!isPossible) console.warn('Skipped: root may make no namespaces here, and the DNS settings of this computer are not touched.');

/** Names of the shipped list, and names that it must not contain. */
const [scams, others] = [
  ['0-google.com', 'www.007-dvd.com'],
  ['www.google.com', 'www.wikipedia.org', 'knitting.example'],
];

test.skipIf(!isPossible)(
  '[P12.1] npm start as root, without settings and without internet, blocks sites of the first list for the whole computer, shows why, and the family gets an email',
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'start-sites-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const conf = join(folder, 'resolv.conf');
    const network = '# of this network\nnameserver 127.0.0.9\noptions timeout:2\n';
    await writeFile(conf, network);
    // The C library sends no queries unless the computer has an address other than loopback. The shell reaps processes without a parent.
    const script = `${ownEtc} && cp "$0" /etc/resolv.conf && ip link set lo up && ip addr add 192.0.2.99/32 dev lo && "$@"; exit $?`;
    const trial = join(root, 'dev', 'start-blocks-sites.ts');
    const args = [...namespaces, 'sh', '-c', script, conf, process.execPath, trial, join(folder, 'data'), ...scams, ...others];
    const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code, output).toBe(0);
    const lines = output.split('\n').filter((line) => line.startsWith('{"what"'));
    const results = Object.fromEntries(
      lines.map((line) => JSON.parse(line) as { what: string; value: unknown }).map(({ what, value }) => [what, value]),
    );
    // No setting of the computer changes before it is protected.
    expect(results['before the link']).toEqual([network, false]);
    expect(results.addresses).toEqual({
      ...Object.fromEntries(scams.map((name) => [name, '127.0.0.2'])),
      ...Object.fromEntries(others.map((name) => [name, '192.0.2.1'])),
    });
    expect(results.page).toContain('We blocked this page');
    expect(results.page).toContain('It is on a list of sites made to steal money or passwords.');
    expect(results.email).toBe('0-google.com was blocked on Den PC');
    expect(results['exit code']).toBe(0);
    expect(results['after the end']).toEqual([network, false]);
  },
);
