import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ownNetwork, requireNftables } from '../../testing/own-network.ts';
import { isolationScript, isolationTable, linuxNetwork, restoreScript } from './network.ts';

const servers = [
  { address: '192.0.2.1', port: 443 },
  { address: '192.0.2.2', port: 443 },
  { address: '2001:db8::1', port: 443 },
];
/** In a network of its own, because these rules would cut this computer's. */
function nft(script: string) {
  const [command = '', ...args] = ownNetwork;
  const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
  return spawnSync(command, [...args, 'sh', '-c', 'nft -f - && nft list ruleset'], { input: script, encoding: 'utf8', env });
}

describe('[P10.6] the rules of an isolation', () => {
  it('are taken by nftables, also over themselves, and are gone after the removal, also twice', (context) => {
    requireNftables(context);
    for (const some of [servers, servers.slice(2), []]) {
      const { status, stdout, stderr } = nft(isolationScript(some, 2500).repeat(2));
      expect(status, stderr).toBe(0);
      expect(stdout.match(/table /g)).toHaveLength(1);
      expect(stdout).toContain(isolationTable);
      expect(stdout.match(/timeout 3s/g), stdout).toHaveLength(12);
      for (const { address } of some) expect(stdout).toContain(`${address} . 443`);
    }
    for (const script of [isolationScript(servers, 2500) + restoreScript, restoreScript.repeat(2)])
      expect(nft(script)).toMatchObject({ status: 0, stdout: '' });
  });
});

describe('[P10.6] an isolation in nftables', () => {
  const change = {
    'a flushed ruleset': 'nft flush ruleset',
    'a deleted table': `nft delete table ${isolationTable}`,
    'an emptied table': `nft flush table ${isolationTable}`,
    'an emptied chain': `nft flush chain ${isolationTable} output`,
    'a rule in front that accepts all': `nft insert rule ${isolationTable} output accept`,
    'a set without elements': `nft flush set ${isolationTable} cut`,
    'a server more': `nft add element ${isolationTable} servers4 '{ 192.0.2.99 . 443 }'`,
    'a dormant table': `nft add table ${isolationTable} '{ flags dormant; }'`,
    'a firewall beside it': 'nft add table inet other',
  };
  it.for(Object.entries(change))('with %s is noticed in the system, and set again', ([what, command], context) => {
    requireNftables(context);
    const [unshare = '', ...args] = ownNetwork;
    const script = `
      import { spawnSync } from 'node:child_process';
      import { linuxNetwork } from ${JSON.stringify(new URL('network.ts', import.meta.url).href)};
      const network = linuxNetwork('/usr/sbin/nft', true);
      const results = [];
      const verify = async () => results.push(await network.inForce());
      await network.isolate(${JSON.stringify(servers)}, 60_000);
      await verify();
      spawnSync('sh', ['-c', ${JSON.stringify(command)}]);
      await verify();
      await network.isolate(${JSON.stringify(servers)}, 30_000);
      await verify();
      await network.restore();
      await verify();
      console.log(JSON.stringify(results));`;
    const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
    const { stdout, stderr } = spawnSync(unshare, [...args, process.execPath, '--input-type=module', '-e', script], {
      ...{ encoding: 'utf8', env },
    });
    expect(stdout, stderr).toBe(`[true,${what === 'a firewall beside it'},true,false]\n`);
  });
});

it('an agent without root access or without nftables says why it cannot cut the internet, and leaves the network alone', async () => {
  for (const [program, root, why] of [
    ['/usr/sbin/nft', false, 'root access'],
    [null, true, 'nftables is missing'],
  ] as const) {
    const network = linuxNetwork(program, root);
    expect(network.unavailable()).toContain(why);
    await expect(network.isolate(servers, 1000)).rejects.toThrow(why);
    await network.restore();
  }
  expect(linuxNetwork('/usr/sbin/nft', true).unavailable()).toBeNull();
  await expect(linuxNetwork('/nonexistent/nft', true).isolate(servers, 1000)).rejects.toThrow('ENOENT');
});
