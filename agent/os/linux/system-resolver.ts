import { execFile } from 'node:child_process';
import { chmod, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasMarked, marks, withMarkedFirst, withoutMarked } from '../../lib/marked-lines.ts';
import { replaceFile, textOf } from '../../lib/replace-file.ts';
import type { SystemResolver } from '../port.ts';
import { dnsIn, ownServers } from './resolved-conf.ts';

/** The C library asks no more than three servers: ours and two. */
const MAX_COUNT = 3;

/**
 * How names are looked up on Linux, below the folder `root`. With systemd-resolved by a file of ours in its folder, which it reads when
 * `systemctl` asks it to; otherwise by lines of ours in resolv.conf. NetworkManager, DHCP clients and resolvconf write that file anew when
 * the network changes: then it names the servers of the new network and not us, and whoever watches `current` points to us again.
 */
export function systemResolver(root: string, systemctl: string | null): SystemResolver {
  const resolvConf = join(root, 'etc/resolv.conf');
  const name = 'porchlight.conf';
  const dropIn = join(root, 'etc/systemd/resolved.conf.d', name);
  /** Whom systemd-resolved asks, first to last: what its settings name, our file among them, and then what it has learned of each network. */
  const uplinks = join(root, 'run/systemd/resolve/resolv.conf');
  const isResolved = async (text: string) => {
    const target = await realpath(resolvConf).catch(() => '');
    return target.includes('/systemd/resolve/') || /^nameserver\s+127\.0\.0\.5[34]\s*$/m.test(withoutMarked(text));
  };
  /** May it have read something else than what stands there now? */
  let unsure = false;
  const reload = () =>
    new Promise<void>((resolve, reject) => {
      if (!systemctl) return resolve();
      execFile(systemctl, ['try-reload-or-restart', 'systemd-resolved'], { timeout: 10_000 }, (err) => {
        unsure = err !== null;
        if (err) reject(err);
        else resolve();
      });
    });
  const current = async () => {
    const text = await textOf(resolvConf);
    if (!(await isResolved(text))) return { servers: serversIn(withoutMarked(text)), ours: hasMarked(text) };
    const set = dnsIn(await textOf(dropIn));
    const asked = serversIn(await textOf(uplinks));
    // Those of ours once each: a network's own stand there once more.
    const rest = [...asked];
    for (const server of set) if (rest.includes(server)) rest.splice(rest.indexOf(server), 1);
    const servers = [...new Set([...(await ownServers(root, name)), ...rest])].filter((server) => server !== set[0]);
    return { servers, ours: set.length > 0 && (asked[0] ?? set[0]) === set[0] };
  };
  return {
    current,
    async pointTo(address) {
      const text = await textOf(resolvConf);
      if (!(await isResolved(text))) return replaceFile(resolvConf, withMarkedFirst(text, [`nameserver ${address}`]));
      const before = (await current()).servers.slice(0, MAX_COUNT - 1);
      // systemd-resolved is a user of its own, and a service's new folders are for itself alone.
      if (await mkdir(dirname(dropIn), { recursive: true })) await chmod(dirname(dropIn), 0o755);
      const old = await textOf(dropIn);
      // Values of DNS= add up over all files, and an empty one begins anew. `~.` sends every name to these servers, and not to those of one network only.
      const lines = ['[Resolve]', 'DNS=', `DNS=${[address, ...before].join(' ')}`, 'Domains=~.'];
      await replaceFile(dropIn, `${[marks.begin, ...lines, marks.end].join('\n')}\n`);
      try {
        await reload();
      } catch (err) {
        // What is not in force must not stand there as if it were.
        await (old ? replaceFile(dropIn, old) : rm(dropIn, { force: true }));
        throw err;
      }
    },
    async restore() {
      const text = await textOf(resolvConf);
      if (hasMarked(text)) await replaceFile(resolvConf, withoutMarked(text));
      if (!(await textOf(dropIn)) && !unsure) return;
      await rm(dropIn, { force: true });
      await reload();
    },
  };
}

function serversIn(text: string): string[] {
  return [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].flatMap(([, server]) => server ?? []);
}
