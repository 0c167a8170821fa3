// Tier: whole. It kills agents as processes.
import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { ownRun } from '../testing/own-network.ts';

const unshare = ['--user', '--map-root-user', '--net', '--mount'];
const possible = process.platform === 'linux' && spawnSync('unshare', [...unshare, 'ip', 'link', 'set', 'lo', 'up']).status === 0;
if (!possible) console.warn('Skipped: no network namespace may be made here, and this computer’s own names are not touched.');

it.skipIf(!possible)(
  "[P4.7] DNS keeps working within the resolver's own timeout, whether the DNS filter or the agent dies",
  { timeout: 90_000 },
  async () => {
    const folder = await temporaryFolder();
    const conf = join(folder, 'resolv.conf');
    await writeFile(conf, '# of this network\nnameserver 127.0.0.9\noptions timeout:2\n');
    const trial = fileURLToPath(new URL('../testing/dns-trial.ts', import.meta.url));
    // The C library sends no queries unless the computer has an address other than loopback.
    const script = `ip link set lo up && ip addr add 192.0.2.99/32 dev lo && ${ownRun} && mount --bind "$0" /etc/resolv.conf && exec "$@"`;
    const env = { ...process.env, AGENT_DATA_DIR: join(folder, 'data'), AGENT_LOOPBACK_PORT: '0', PORCHLIGHT_SERVER: 'http://localhost:1' };
    const child = spawn('unshare', [...unshare, 'sh', '-c', script, conf, process.execPath, trial], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code, output).toBe(0);
    const lines = output.split('\n').filter((line) => line.startsWith('{'));
    const results = new Map(
      lines.map((line) => JSON.parse(line) as { what: string; value: unknown }).map(({ what, value }) => [what, value]),
    );
    expect(results.get('ours first')).toEqual(['nameserver 127.0.0.1', 'nameserver 127.0.0.9']);
    // Only the DNS filter answers "not found" for this name.
    expect(results.get('through us')).toBe(-1);
    for (const phase of ['before', 'filter killed', 'agent killed', 'as before', 'both killed']) {
      expect(results.get(phase), phase).toBeGreaterThanOrEqual(0);
      expect(results.get(phase), phase).toBeLessThan(5000);
    }
    expect(results.get('filter back')).toBeLessThan(5000);
    expect(results.get('put back by hand')).toBe(true);
  },
);
