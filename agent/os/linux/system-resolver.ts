import { execFile } from 'node:child_process';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasMarked, marks, withMarkedFirst, withoutMarked } from '../../lib/marked-lines.ts';
import { replaceFile, textOf } from '../../lib/replace-file.ts';
import type { SystemResolver } from '../port.ts';

/** The C library asks no more than three servers: ours and two. */
const most = 3;

/**
 * How names are looked up on Linux, below the folder `root`. With systemd-resolved by a file of ours in its folder, which it reads when
 * `systemctl` asks it to; otherwise by lines of ours in resolv.conf. NetworkManager, DHCP clients and resolvconf write that file anew when
 * the network changes: then it names the servers of the new network and not us, and whoever watches `current` points to us again.
 */
export function systemResolver(root: string, systemctl: string | null): SystemResolver {
  const resolvConf = join(root, 'etc/resolv.conf');
  const dropIn = join(root, 'etc/systemd/resolved.conf.d/porchlight.conf');
  /** What systemd-resolved has learned of each network, without us where we are marked. */
  const uplinks = join(root, 'run/systemd/resolve/resolv.conf');
  const isResolved = async (text: string) => {
    const target = await realpath(resolvConf).catch(() => '');
    return target.includes('/systemd/resolve/') || /^nameserver\s+127\.0\.0\.5[34]\s*$/m.test(withoutMarked(text));
  };
  const reload = () =>
    new Promise<void>((resolve, reject) => {
      if (!systemctl) return resolve();
      execFile(systemctl, ['try-reload-or-restart', 'systemd-resolved'], { timeout: 10_000 }, (err) => (err ? reject(err) : resolve()));
    });
  const current = async () => {
    const text = await textOf(resolvConf);
    if (!(await isResolved(text))) return { servers: serversIn(withoutMarked(text)), ours: hasMarked(text) };
    const ours = /^DNS=(\S+)/m.exec(await textOf(dropIn))?.[1];
    return { servers: serversIn(await textOf(uplinks)).filter((server) => server !== ours), ours: ours !== undefined };
  };
  return {
    current,
    async pointTo(address) {
      const text = await textOf(resolvConf);
      if (!(await isResolved(text))) return replaceFile(resolvConf, withMarkedFirst(text, [`nameserver ${address}`]));
      const before = (await current()).servers.slice(0, most - 1);
      await mkdir(dirname(dropIn), { recursive: true });
      // `~.` sends every name to these servers, and not to those of one network only.
      await replaceFile(dropIn, `${marks.begin}\n[Resolve]\nDNS=${[address, ...before].join(' ')}\nDomains=~.\n${marks.end}\n`);
      await reload();
    },
    async restore() {
      const text = await textOf(resolvConf);
      if (hasMarked(text)) await replaceFile(resolvConf, withoutMarked(text));
      if (!(await textOf(dropIn))) return;
      await rm(dropIn, { force: true });
      await reload();
    },
  };
}

function serversIn(text: string): string[] {
  return [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].flatMap(([, server]) => server ?? []);
}
