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
