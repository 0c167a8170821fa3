// Tier: whole. It kills agents as processes.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { ownRun } from '../testing/own-network.ts';
import { trialResults } from '../testing/trial-results.ts';

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
    const results = await trialResults(['unshare', ...unshare, 'sh', '-c', script, conf, process.execPath, trial], env);
    expect(results['ours first']).toEqual(['nameserver 127.0.0.1', 'nameserver 127.0.0.9']);
    // Only the DNS filter answers "not found" for this name.
    expect(results['through us']).toBe(-1);
    for (const phase of ['before', 'filter killed', 'agent killed', 'as before', 'both killed']) {
      expect(results[phase], phase).toBeGreaterThanOrEqual(0);
      expect(results[phase], phase).toBeLessThan(5000);
    }
    expect(results['filter back']).toBeLessThan(5000);
    expect(results['put back by hand']).toBe(true);
  },
);
