import { chmod, lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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

it('in a resolv.conf that asks the servers by turns, ours alone is asked while it is there, and the option is restored byte for byte', async () => {
  for (const text of [
    'nameserver 192.168.1.1\noptions rotate timeout:1\nsearch home\n',
    'options edns0  rotate\nnameserver 192.168.1.1\noptions\trotate',
    'nameserver 192.168.1.1\noptions rotate\n',
  ]) {
    const { root, conf, read } = await createSystem(text);
    const resolver = systemResolver(root, null);
    for (let n = 0; n < 2; n++) await resolver.pointTo('127.0.0.1');
    expect((await read()).match(/^(?!#).*rotate/gm)).toBeNull();
    expect((await resolver.current())?.ours).toBe(true);
    // An option that somebody adds later counts as a change of the network.
    const ours = await read();
    await writeFile(conf, `${ours}\noptions rotate\n`);
    expect((await resolver.current())?.ours).toBe(false);
    await writeFile(conf, ours);
    await resolver.restore();
    expect(await read()).toBe(text);
  }
  const { root, read } = await createSystem(originalText);
  await systemResolver(root, null).pointTo('127.0.0.1');
  expect(await read()).toContain('options edns0\n');
});

it('a link whose target is missing stays a link, and the settings of its target count as soon as that exists', async () => {
  for (const isTargetFolder of [false, true]) {
    const { root, conf } = await createSystem('');
    const target = join(root, 'run/NetworkManager/resolv.conf');
    if (isTargetFolder) await mkdir(dirname(target), { recursive: true });
    await rm(conf);
    await symlink('../run/NetworkManager/resolv.conf', conf);
    const resolver = systemResolver(root, null);
    expect(await resolver.current()).toBeNull();
    await expect(resolver.pointTo('127.0.0.1')).rejects.toThrow('is a link to a file that is missing');
    await resolver.restore();
    expect((await lstat(conf)).isSymbolicLink()).toBe(true);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, originalText);
    expect(await resolver.current()).toMatchObject({ ours: false });
    await resolver.pointTo('127.0.0.1');
    await resolver.restore();
    expect([(await lstat(conf)).isSymbolicLink(), await readFile(target, 'utf8')]).toEqual([true, originalText]);
  }
});
