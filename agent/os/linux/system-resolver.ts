import { execFile } from 'node:child_process';
import { chmod, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasMarked, inPlaceOf, marks, withMarkedFirst, withoutMarked } from '../../lib/marked-lines.ts';
import { replaceFile, textOf } from '../../lib/replace-file.ts';
import { resolveAsPrograms } from '../../lib/system-resolve.ts';
import type { SystemResolver } from '../port.ts';
import { configuredServers, dnsIn } from './resolved-conf.ts';

/** The C library uses three DNS servers: ours and two others. */
const MAX_COUNT = 3;

/** With this option the C library asks all servers by turns. */
const rotating = /^[ \t]*options[ \t](?:.*[ \t])?rotate(?=[ \t]|$)/m;
const withoutRotation = (text: string): string =>
  text
    .split('\n')
    .map((line) => (rotating.test(line) ? inPlaceOf(line, line.replace(/[ \t]rotate(?=[ \t]|$)/g, '')) : line))
    .join('\n');

/**
 * Sets DNS servers by a drop-in file for systemd-resolved, otherwise by marked lines in resolv.conf. Network managers overwrite resolv.conf
 * when the network changes; the watcher of `current` then calls `pointTo` again.
 */
export function systemResolver(root: string, systemctl: string | null): SystemResolver {
  const resolvConf = join(root, 'etc/resolv.conf');
  const dropInName = 'porchlight.conf';
  const dropIn = join(root, 'etc/systemd/resolved.conf.d', dropInName);
  /** Lists the servers in the settings, including our drop-in, then those of each network. */
  const uplinksFile = join(root, 'run/systemd/resolve/resolv.conf');
  const usesResolved = async (text: string) => {
    const target = await realpath(resolvConf).catch(() => '');
    return target.includes('/systemd/resolve/') || /^nameserver\s+127\.0\.0\.5[34]\s*$/m.test(withoutMarked(text));
  };
  /** True when systemd-resolved may not have read the present drop-in. */
  let mayBeStale = false;
  const order = (command: 'try-reload-or-restart' | 'try-restart') =>
    new Promise<void>((resolve, reject) => {
      if (!systemctl) return resolve();
      execFile(systemctl, [command, 'systemd-resolved'], { timeout: 10_000 }, (err) => {
        mayBeStale = err !== null;
        if (err) reject(err);
        else resolve();
      });
    });
  const reload = () => order('try-reload-or-restart');
  const current = async () => {
    const text = await textOf(resolvConf);
    // The target of a link may be missing until its network manager has started.
    if (serversIn(text).length === 0) return null;
    if (!(await usesResolved(text))) {
      return { servers: serversIn(withoutMarked(text)), ours: hasMarked(text) && !rotating.test(text) };
    }
    const ourServers = dnsIn(await textOf(dropIn));
    const activeServers = serversIn(await textOf(uplinksFile));
    // Only one occurrence of each server is removed: a network may have the same.
    const networkServers = [...activeServers];
    for (const server of ourServers) if (networkServers.includes(server)) networkServers.splice(networkServers.indexOf(server), 1);
    const servers = [...new Set([...(await configuredServers(root, dropInName)), ...networkServers])].filter(
      (server) => server !== ourServers[0],
    );
    return { servers, ours: ourServers.length > 0 && (activeServers[0] ?? ourServers[0]) === ourServers[0] };
  };
  return {
    current,
    async pointTo(address) {
      const text = await textOf(resolvConf);
      if (!(await usesResolved(text))) return replaceFile(resolvConf, withMarkedFirst(text, [`nameserver ${address}`], withoutRotation));
      const formerServers = ((await current())?.servers ?? []).slice(0, MAX_COUNT - 1);
      // systemd-resolved runs as another user, and our umask makes new folders private.
      if (await mkdir(dirname(dropIn), { recursive: true })) await chmod(dirname(dropIn), 0o755);
      const previousDropIn = await textOf(dropIn);
      // An empty DNS= clears the values of other files. `~.` sends all names to these servers.
      const lines = ['[Resolve]', 'DNS=', `DNS=${[address, ...formerServers].join(' ')}`, 'Domains=~.'];
      await replaceFile(dropIn, `${[marks.begin, ...lines, marks.end].join('\n')}\n`);
      try {
        await reload();
      } catch (err) {
        await (previousDropIn ? replaceFile(dropIn, previousDropIn) : rm(dropIn, { force: true }));
        throw err;
      }
    },
    resolve: resolveAsPrograms,
    // systemd-resolved stays with the server that answered last, and begins with the first only when it starts.
    async askFirstAgain() {
      if (await usesResolved(await textOf(resolvConf))) await order('try-restart');
    },
    async restore() {
      const text = await textOf(resolvConf);
      if (hasMarked(text)) await replaceFile(resolvConf, withoutMarked(text));
      if (!(await textOf(dropIn)) && !mayBeStale) return;
      await rm(dropIn, { force: true });
      await reload();
    },
  };
}

function serversIn(text: string): string[] {
  return [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)].flatMap(([, server]) => server ?? []);
}
