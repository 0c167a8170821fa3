import { statSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { systemResolver } from './system-resolver.ts';

/**
 * Simulates systemd-resolved 252: DNS= values of its files add up in name order, an empty value clears the list, and resolv.conf lists
 * these servers, then each link's servers, with duplicates.
 */
async function simulateResolved(files: Record<string, string> = {}) {
  const root = await temporaryFolder();
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const state = { link: ['192.168.1.1'] };
  await put('etc/resolv.conf', 'nameserver 127.0.0.53\noptions edns0\n');
  for (const [path, text] of Object.entries(files)) await put(path, text);
  const readText = (path: string) => readFile(join(root, path), 'utf8').catch(() => '');
  const dropIn = () => readText('etc/systemd/resolved.conf.d/porchlight.conf');
  /** Writes resolv.conf as after a restart or a network change. */
  const settle = async () => {
    let globalServers: string[] = [];
    const paths = Object.keys(files).filter((path) => path.includes('resolved.conf.d/'));
    const sortedPaths = [...paths, 'etc/systemd/resolved.conf.d/porchlight.conf'].toSorted((a, b) =>
      (a.split('/').at(-1) ?? '').localeCompare(b.split('/').at(-1) ?? ''),
    );
    for (const path of ['etc/systemd/resolved.conf', ...sortedPaths])
      for (const [, servers = ''] of (await readText(path)).matchAll(/^DNS=(.*)$/gm))
        globalServers = servers ? [...globalServers, ...servers.split(' ')] : [];
    const lines = [...globalServers.map((server) => server.replace(/#.*/, '')), ...state.link].map((server) => `nameserver ${server}\n`);
    await put('run/systemd/resolve/resolv.conf', lines.join(''));
  };
  await settle();
  const systemctl = join(root, 'systemctl');
  const works = async (code = 0) => {
    await put('systemctl', `#!/bin/sh\necho "$@" >> ${root}/calls\nexit ${code}\n`);
    await chmod(systemctl, 0o755);
  };
  await works();
  const calls = async () => (await readText('calls')).split('\n').length - 1;
  return {
    root,
    state,
    settle,
    works,
    dropIn,
    calls,
    text: readText,
    put,
    resolver: systemResolver(root, systemctl),
    again: () => systemResolver(root, systemctl),
  };
}

it('on a computer with configured DNS servers the filter becomes the first server, and those servers its upstreams', async () => {
  const { settle, text, resolver } = await simulateResolved({
    'etc/systemd/resolved.conf': '[Resolve]\n#DNS=8.8.8.8\nDNS=1.1.1.1#one.example\n',
  });
  expect(await resolver.current()).toEqual({ servers: ['1.1.1.1', '192.168.1.1'], ours: false });
  await resolver.pointTo('127.0.0.1');
  await settle();
  expect((await text('run/systemd/resolve/resolv.conf')).split('\n')[0]).toBe('nameserver 127.0.0.1');
  for (let n = 0; n < 2; n++) {
    expect(await resolver.current()).toEqual({ servers: ['1.1.1.1', '192.168.1.1'], ours: true });
    await resolver.pointTo('127.0.0.1');
    await settle();
  }
});

it('a systemd-resolved settings file that overrides our DNS servers is noticed', async () => {
  const { settle, put, resolver } = await simulateResolved({ 'etc/systemd/resolved.conf.d/zz.conf': '[Resolve]\nDNS=\nDNS=9.9.9.9\n' });
  await resolver.pointTo('127.0.0.1');
  await settle();
  expect((await resolver.current())?.ours).toBe(false);
  await put('etc/systemd/resolved.conf.d/zz.conf', '[Resolve]\nDNS=9.9.9.9\n');
  await settle();
  expect(await resolver.current()).toEqual({ servers: ['9.9.9.9', '192.168.1.1'], ours: true });
});

it('[P4.7] after a network change the DNS servers of the new network are the upstreams', async () => {
  const { state, settle, dropIn, resolver, again: newResolver } = await simulateResolved();
  await resolver.pointTo('127.0.0.1');
  await settle();
  state.link = ['10.9.9.9', '10.9.9.8', '10.9.9.7'];
  await settle();
  expect(await newResolver().current()).toEqual({ servers: ['10.9.9.9', '10.9.9.8', '10.9.9.7'], ours: true });
  await newResolver().pointTo('127.0.0.1');
  await settle();
  expect(await dropIn()).toContain('[Resolve]\nDNS=\nDNS=127.0.0.1 10.9.9.9 10.9.9.8\nDomains=~.\n');
  expect((await newResolver().current())?.servers).toEqual(['10.9.9.9', '10.9.9.8', '10.9.9.7']);
});

it('a DNS setting that systemd-resolved refused counts as not set and is retried', async () => {
  const { settle, works, dropIn, calls, resolver } = await simulateResolved();
  await works(1);
  await expect(resolver.pointTo('127.0.0.1')).rejects.toThrow();
  expect(await dropIn()).toBe('');
  expect((await resolver.current())?.ours).toBe(false);
  await works();
  await resolver.pointTo('127.0.0.1');
  await settle();
  const dropInBefore = await dropIn();
  expect((await resolver.current())?.ours).toBe(true);
  // A failed change keeps the previous drop-in.
  await works(1);
  await expect(resolver.pointTo('127.0.0.2')).rejects.toThrow();
  expect(await dropIn()).toBe(dropInBefore);
  await expect(resolver.restore()).rejects.toThrow();
  await works();
  const callCount = await calls();
  for (let n = 0; n < 2; n++) await resolver.restore();
  expect([await dropIn(), await calls()]).toEqual(['', callCount + 1]);
});

it('our settings file is readable for systemd-resolved despite a strict umask', async () => {
  const { text, resolver, root } = await simulateResolved();
  const previousUmask = process.umask(0o077);
  onTestFinished(() => void process.umask(previousUmask));
  await resolver.pointTo('127.0.0.1');
  const modes = ['', '/porchlight.conf'].map((path) => statSync(join(root, `etc/systemd/resolved.conf.d${path}`)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o644]);
  expect(await text('calls')).toContain('systemd-resolved');
});
