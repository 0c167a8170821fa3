// Tier: whole. It starts agents as processes.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { skipTest } from '../testing/left-out.ts';
import { ownRun } from '../testing/own-network.ts';
import { trialResults } from '../testing/trial-results.ts';

const unshare = ['--user', '--map-root-user', '--net', '--mount'];
const network = [
  'ip link set lo up && ip link add near type veth peer name far',
  'ip addr add 192.0.2.99/24 dev near && ip link set near up && ip link set far up',
].join(' && ');

test('[P4.6] uninstall aborts unless DNS works without the filter, and a running agent does not redirect DNS again', async (context) => {
  if (process.platform !== 'linux' || spawnSync('unshare', [...unshare, 'sh', '-c', network]).status !== 0)
    skipTest(context, 'no network namespace may be made here, and this computer’s own names are not touched.');
  const folder = await temporaryFolder();
  const [conf, hosts] = [join(folder, 'resolv.conf'), join(folder, 'hosts')];
  writeFileSync(conf, '# of this network\nnameserver 127.0.0.9\noptions timeout:1 attempts:1\n');
  writeFileSync(hosts, '127.0.0.1 localhost known.example\n');
  const trial = fileURLToPath(new URL('../testing/uninstall-trial.ts', import.meta.url));
  const script = `${network} && ${ownRun} && mount --bind "$0" /etc/resolv.conf && mount --bind "$1" /etc/hosts && shift && exec "$@"`;
  const results = await trialResults(['unshare', ...unshare, 'sh', '-c', script, conf, hosts, process.execPath, trial, folder, 'near']);
  const successResult = [0, 'Internet settings are back to normal. Porchlight can be removed now.\n'];
  const refusedResult = [4, 'Without Porchlight, this computer cannot find websites yet. Nothing was removed. Try again in a minute.\n'];
  expect(results).toEqual({
    'no name': refusedResult,
    'said then': [],
    'protects again': true,
    'a name': successResult,
    'said at last': [{ reason: 'uninstalled' }],
    'through us': false,
    'taken again': false,
    ended: 0,
    'said after': [{ reason: 'uninstalled' }, { reason: 'uninstalled' }],
    'as before': true,
    'of nobody, no name but of the hosts file': refusedResult,
    'of nobody, the name of the server': successResult,
    'of nobody, no network': successResult,
    'said of nobody': 0,
    asked: [false, true, true],
  });
}, 120_000);
