import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { systemResolver } from './system-resolver.ts';

const originalText = '# made by dhclient\nsearch home\nnameserver 192.168.1.1\nnameserver 192.168.1.2\noptions edns0\n';

async function createSystem(resolvConf: string) {
  const root = await temporaryFolder();
  await mkdir(join(root, 'etc'));
  await writeFile(join(root, 'etc/resolv.conf'), resolvConf);
  return { root, conf: join(root, 'etc/resolv.conf'), read: () => readFile(join(root, 'etc/resolv.conf'), 'utf8') };
}

it('resolv.conf lists the filter first, and is restored byte for byte', async () => {
  const { root, read } = await createSystem(originalText);
  const resolver = systemResolver(root, null);
  expect(await resolver.current()).toEqual({ servers: ['192.168.1.1', '192.168.1.2'], ours: false });
  for (let n = 0; n < 2; n++) await resolver.pointTo('127.0.0.1');
  expect((await read()).match(/^nameserver .*/gm)).toEqual(['nameserver 127.0.0.1', 'nameserver 192.168.1.1', 'nameserver 192.168.1.2']);
  expect(await resolver.current()).toEqual({ servers: ['192.168.1.1', '192.168.1.2'], ours: true });
  // A new resolver instance, as after a crash.
  await systemResolver(root, null).restore();
  expect(await read()).toBe(originalText);
  await resolver.restore();
  expect(await read()).toBe(originalText);
});

it('a network change that removes our lines from resolv.conf is noticed', async () => {
  const { root, conf } = await createSystem(originalText);
  const resolver = systemResolver(root, null);
  await resolver.pointTo('127.0.0.1');
  await writeFile(conf, 'nameserver 10.0.0.1\n');
  expect(await resolver.current()).toEqual({ servers: ['10.0.0.1'], ours: false });
});

it('if resolv.conf is a link of NetworkManager, its target is written and the link stays', async () => {
  const { root, conf } = await createSystem('');
  await mkdir(join(root, 'run/NetworkManager'), { recursive: true });
  const realFile = join(root, 'run/NetworkManager/resolv.conf');
  await writeFile(realFile, originalText);
  const { rm, lstat } = await import('node:fs/promises');
  await rm(conf);
  await symlink('../run/NetworkManager/resolv.conf', conf);
  const resolver = systemResolver(root, null);
  await resolver.pointTo('127.0.0.1');
  expect((await lstat(conf)).isSymbolicLink()).toBe(true);
  expect(await readFile(realFile, 'utf8')).toContain('nameserver 127.0.0.1\n');
  await resolver.restore();
  expect(await readFile(realFile, 'utf8')).toBe(originalText);
});

it('systemd-resolved gets a settings file and reloads, and a restore removes the file', async () => {
  const { root, read } = await createSystem('nameserver 127.0.0.53\noptions edns0\n');
  await mkdir(join(root, 'run/systemd/resolve'), { recursive: true });
  await writeFile(join(root, 'run/systemd/resolve/resolv.conf'), 'nameserver 192.168.1.1\nnameserver 127.0.0.1\n');
  const systemctl = join(root, 'systemctl');
  await writeFile(systemctl, `#!/bin/sh\necho "$@" >> ${root}/calls\n`);
  await chmod(systemctl, 0o755);
  const resolver = systemResolver(root, systemctl);
  const dropIn = () => readFile(join(root, 'etc/systemd/resolved.conf.d/porchlight.conf'), 'utf8').catch(() => null);
  await writeFile(join(root, 'run/systemd/resolve/resolv.conf'), 'nameserver 192.168.1.1\n');
  await resolver.pointTo('127.0.0.1');
  expect(await dropIn()).toContain('[Resolve]\nDNS=\nDNS=127.0.0.1 192.168.1.1\nDomains=~.\n');
  await writeFile(join(root, 'run/systemd/resolve/resolv.conf'), 'nameserver 127.0.0.1\nnameserver 192.168.1.1\nnameserver 192.168.1.1\n');
  expect(await resolver.current()).toEqual({ servers: ['192.168.1.1'], ours: true });
  await resolver.restore();
  await resolver.restore();
  expect(await dropIn()).toBeNull();
  expect(await read()).toBe('nameserver 127.0.0.53\noptions edns0\n');
  expect(await readFile(join(root, 'calls'), 'utf8')).toBe('try-reload-or-restart systemd-resolved\n'.repeat(2));
});
