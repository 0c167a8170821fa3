import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { replaceFile, textOf } from '../../lib/replace-file.ts';
import type { ServerSocket, SystemNetwork } from '../port.ts';
import type { MacNative } from './native.ts';

const pfctl = '/sbin/pfctl';
/** The rules of macOS (/etc/pf.conf) call every anchor below com.apple, in the order of names. */
export const anchor = 'com.apple/000.porchlight';
const POLL_S = 5;

const neighbourTypes = '{ 130, 131, 133, 134, 135, 136, 143 }';
/** Without these the network itself would be gone at the end: addresses (DHCP), neighbours and routers. */
const networkItself = [
  ...[
    ['inet', 68, 67],
    ['inet', 67, 68],
    ['inet6', 546, 547],
    ['inet6', 547, 546],
  ].map(([version, from, to]) => `pass quick ${version} proto udp from any port ${from} to any port ${to} no state`),
  `pass quick inet6 proto ipv6-icmp all icmp6-type ${neighbourTypes} no state`,
];

/** For pf.conf(5) of macOS. `no state` and `flags any`: connections that exist already pass or end by the same rules. */
export function isolationRules(servers: ServerSocket[]): string {
  const server = ({ address, port }: ServerSocket) => {
    const version = isIPv6(address) ? 'inet6' : 'inet';
    return [
      `pass out quick ${version} proto tcp from any to ${address} port ${port} flags any no state`,
      `pass in quick ${version} proto tcp from ${address} port ${port} to any flags any no state`,
    ];
  };
  return [
    'pass quick on lo0 all flags any no state',
    ...servers.flatMap(server),
    // Without them a connection to the server may hang on a way with smaller packets.
    'pass in quick inet proto icmp all icmp-type unreach no state',
    'pass in quick inet6 proto ipv6-icmp all icmp6-type { 1, 2 } no state',
    ...networkItself,
    'block drop quick all',
    '',
  ].join('\n');
}

/**
 * A shell script that ends the isolation `id` after its time, by the clock or by counting, whichever is first. It runs without the agent.
 * It ends early when the file is gone, or of a later isolation. Arguments: pfctl, the end in seconds since 1970, the number of polls, the
 * id, and the file with id and token.
 */
export const timerScript = `trap '' HUP
is_ours() { read -r id token < "$5" && [ "$id" = "$4" ]; }
n=0
while is_ours "$@" && [ "$n" -lt "$3" ] && [ "$(date +%s)" -lt "$2" ]; do sleep ${POLL_S}; n=$((n + 1)); done
is_ours "$@" || exit 0
"$1" -a ${anchor} -F rules
"$1" -X "$token"
rm -f "$5"`;

export const timerArgs = (program: string, endsAt: number, ms: number, id: string, file: string): string[] => [
  ...['-c', `( ${timerScript}\n) </dev/null >/dev/null 2>&1 &`, 'sh', program],
  ...[String(Math.ceil(endsAt / 1000)), String(Math.ceil(ms / 1000 / POLL_S)), id, file],
];

/** `file`: has the id of the isolation, and the token by which pf stays enabled, until it is restored. */
export function macosNetwork(
  native: MacNative,
  { root, file, now = Date.now }: { root: boolean; file: string; now?: () => number },
): SystemNetwork {
  const storedToken = async () => (await textOf(file)).trim().split(' ')[1] ?? null;
  const run = async (args: string[], input?: string) => {
    // pfctl writes to both outputs.
    const { code, out } = await native.run('/bin/sh', ['-c', '"$0" "$@" 2>&1', pfctl, ...args], input);
    if (code !== 0) throw new Error(out.trim().split('\n').at(-1) || `pfctl ended with ${code}`);
    return out;
  };
  const isCalled = async () => (await run(['-s', 'rules'])).includes('anchor "com.apple/*"');
  const loaded = () => run(['-a', anchor, '-s', 'rules']);
  let loadedAsSet: string | null = null;
  const restore = async () => {
    const token = await storedToken();
    if (token === null) return;
    await run(['-a', anchor, '-F', 'rules']);
    // After a restart of the computer the token means nothing, and pf is off again.
    await run(['-X', token]).catch(() => {});
    await rm(file, { force: true });
  };
  return {
    unavailable: () => (root ? null : 'The internet cannot be cut here without root access.'),
    async isolate(servers, ms) {
      if (!(await isCalled())) throw new Error('the rules of macOS in /etc/pf.conf were changed');
      const formerToken = await storedToken();
      const [, token] = /^Token : (\d+)$/m.exec(await run(['-E'])) ?? [];
      if (!token) throw new Error('pfctl enabled nothing');
      const id = randomUUID();
      try {
        await replaceFile(file, `${id} ${token}\n`);
        // The timer comes first, so that an agent that is killed from here on leaves nothing for good.
        const { code } = await native.run('/bin/sh', timerArgs(pfctl, now() + ms, ms, id, file));
        if (code !== 0) throw new Error(`the timer ended with ${code}`);
        await run(['-a', anchor, '-f', '-'], isolationRules(servers));
        // A connection with a state would pass without any rule.
        await run(['-F', 'states']);
        loadedAsSet = await loaded();
      } catch (err) {
        await restore().catch(() => {});
        throw err;
      }
      if (formerToken) await run(['-X', formerToken]).catch(() => {});
    },
    // Rules in an anchor have no effect while pf is disabled, or while nothing calls the anchor.
    inForce: async () => (await loaded()) === loadedAsSet && /^Status: Enabled/m.test(await run(['-s', 'info'])) && (await isCalled()),
    restore,
  };
}
