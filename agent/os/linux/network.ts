import { spawn } from 'node:child_process';
import { isIPv6 } from 'node:net';
import type { ServerSocket, SystemNetwork } from '../port.ts';
import { messages } from './messages.ts';

export const isolationTable = 'inet porchlight_isolation';
const TIMEOUT_MS = 10_000;

/** All that carry data of programs or a tunnel of its own: IPv4 and IPv6 in IP, GRE, ESP and AH among them. */
const cutProtocols = ['tcp', 'udp', 'udplite', 'sctp', 'dccp', 'icmp', 'ipv6-icmp', 'ipencap', 'ipv6', 'gre', 'esp', 'ah'];

/** Without these the network itself would be gone at the end: addresses (DHCP), neighbours and routers. */
const neighbours = 'nd-router-solicit, nd-router-advert, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-query, mld-listener-report';
const networkItself = [
  'udp sport 68 udp dport 67 accept',
  'udp sport 67 udp dport 68 accept',
  'udp sport 546 udp dport 547 accept',
  'udp sport 547 udp dport 546 accept',
  `icmpv6 type { ${neighbours}, mld2-listener-report } accept`,
];

/** An empty table may be deleted whether it was there or not. */
export const restoreScript = `table ${isolationTable} {}\ndelete table ${isolationTable}\n`;

/**
 * One transaction of nft(8): the rules take effect together, or none does. The kernel forgets the elements of the set after `ms`, and then
 * the rules drop nothing, also when no agent is left. The chains come before those of connection tracking, so a packet that is dropped is
 * in no table of connections.
 */
export function isolationScript(servers: ServerSocket[], ms: number): string {
  const sockets = (v6: boolean) =>
    servers.filter(({ address }) => isIPv6(address) === v6).map(({ address, port }) => `${address} . ${port}`);
  const set = (name: string, type: string, elements: string[]) =>
    `  set ${name} { type ${type} . inet_service; ${elements.length ? `elements = { ${elements.join(', ')} }; ` : ''}}`;
  const chain = (hook: 'output' | 'input' | 'forward', accepted: string[]) => [
    `  chain ${hook} {`,
    `    type filter hook ${hook} priority -310; policy accept;`,
    ...[...accepted, 'meta l4proto @cut drop'].map((rule) => `    ${rule}`),
    '  }',
  ];
  return [
    `${restoreScript}table ${isolationTable} {`,
    `  set cut { type inet_proto; flags timeout; elements = { ${cutProtocols.map((name) => `${name} timeout ${Math.ceil(ms / 1000)}s`).join(', ')} }; }`,
    set('servers4', 'ipv4_addr', sockets(false)),
    set('servers6', 'ipv6_addr', sockets(true)),
    ...chain('output', [
      'oifname "lo" accept',
      'ip daddr . tcp dport @servers4 accept',
      'ip6 daddr . tcp dport @servers6 accept',
      ...networkItself,
    ]),
    ...chain('input', [
      'iifname "lo" accept',
      'ip saddr . tcp sport @servers4 accept',
      'ip6 saddr . tcp sport @servers6 accept',
      // Without them a connection to the server may hang on a way with smaller packets.
      'icmp type destination-unreachable accept',
      'icmpv6 type { destination-unreachable, packet-too-big } accept',
      ...networkItself,
    ]),
    // Virtual machines and containers; our server is reached by this computer alone.
    ...chain('forward', []),
    '}',
    '',
  ].join('\n');
}

/** `nft`: the path of the program; null where it is missing. */
export function linuxNetwork(nft: string | null, root: boolean): SystemNetwork {
  const unavailable = () => (root ? (nft ? null : messages.noNftables) : messages.notCut);
  /** The whole table as nft prints it, without the times that pass: a rule, an element or a flag that somebody changed shows too. */
  const printed = (program: string) => runNft(program, `list table ${isolationTable}\n`).catch(() => null);
  let printedAsSet: string | null = null;
  return {
    unavailable,
    async isolate(servers, ms) {
      const reason = unavailable();
      if (reason || !nft) throw new Error(reason ?? messages.noNftables);
      await runNft(nft, isolationScript(servers, ms));
      printedAsSet = await printed(nft);
    },
    inForce: async () => nft !== null && printedAsSet !== null && (await printed(nft)) === printedAsSet,
    async restore() {
      if (!nft || !root) return;
      await runNft(nft, restoreScript).catch(async (err: unknown) => {
        // A container without the right to change its network has no table of ours either.
        if (
          await runNft(nft, `list table ${isolationTable}\n`).then(
            () => true,
            () => false,
          )
        )
          throw err;
      });
    },
  };
}

/** Returns what nft prints. */
function runNft(nft: string, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(nft, ['-s', '-f', '-'], { stdio: ['pipe', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(errors.trim().split('\n')[0] || `nft ended with ${code}`)),
    );
    // A program that could not be started takes no input.
    child.stdin.on('error', () => {}).end(script);
  });
}
