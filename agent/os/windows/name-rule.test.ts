import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';

const unshare = ['--user', '--map-root-user', '--mount'];
const possible = process.platform === 'linux' && spawnSync('unshare', [...unshare, 'true']).status === 0;
if (!possible) console.warn('Skipped: no mount namespace may be made here, and this computer’s own names are not touched.');

it.skipIf(!possible)('a network that is joined while we run is seen, also after a start without any, and stands behind us', async () => {
  const folder = await temporaryFolder();
  const conf = join(folder, 'resolv.conf');
  await writeFile(conf, '');
  const here = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
  const script = `
    import { writeFileSync } from 'node:fs';
    import { nameRule, networkServers, rules } from ${here('./name-rule.ts')};
    import { registryInMemory } from ${here('../../testing/windows-registry.ts')};
    const registry = registryInMemory();
    const names = nameRule({ registry, servers: networkServers, reread: () => {} });
    const seen = [];
    for (const servers of [[], ['192.168.1.1'], ['10.9.9.9', '10.9.9.8'], []]) {
      writeFileSync('/etc/resolv.conf', servers.map((server) => 'nameserver ' + server + '\\n').join(''));
      await names.pointTo('127.0.0.1');
      const [key] = registry.keys(rules);
      seen.push([(await names.current()).servers.join(), registry.read(rules + '\\\\' + key, 'GenericDNSServers')]);
    }
    console.log(JSON.stringify(seen));`;
  const command = [
    'sh',
    '-c',
    'mount --bind "$0" /etc/resolv.conf && exec "$@"',
    conf,
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ];
  expect(JSON.parse(execFileSync('unshare', [...unshare, ...command], { encoding: 'utf8' }))).toEqual([
    ['', '127.0.0.1'],
    ['192.168.1.1', '127.0.0.1;192.168.1.1'],
    ['10.9.9.9,10.9.9.8', '127.0.0.1;10.9.9.9;10.9.9.8'],
    ['', '127.0.0.1'],
  ]);
});
