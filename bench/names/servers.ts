import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filterChild } from '@porchlight/agent/dns-filter/child.ts';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { buildSiteList } from '@porchlight/definitions/sites/site-list.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import type { Shipped } from '../shipped.ts';

export interface NameServer {
  name: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** The servers that are compared share one processor; what asks them and what they ask has the other. */
const pinCommand = ['taskset', '-c', '0'];
export const otherPinCommand = ['taskset', '-c', '1'];

/**
 * A DNS server that answers every name with 192.0.2.1, and with a TTL of 0, so that no server may cache the answer, below `never-cached.example`.
 * It resolves nothing, so that it takes less time for a query than each of the servers that forward to it.
 */
export async function startUpstream(folder: string): Promise<NameServer> {
  const port = await freePort();
  const zone = (name: string, ttl: number) => [`local-zone: "${name}" redirect`, `local-data: "${name} ${ttl} A 192.0.2.1"`];
  const file = join(folder, 'upstream.conf');
  await writeFile(file, `${[...unboundBase(port, folder), ...zone('.', 3600), ...zone('never-cached.example.', 0)].join('\n')}\n`);
  return configuredServer('the upstream', port, ['unbound', '-d', '-c', file], { pin: otherPinCommand });
}

const unboundBase = (port: number, folder: string): string[] => [
  'server:',
  ...[`port: ${port}`, 'interface: 127.0.0.1', 'num-threads: 1', 'username: ""', 'chroot: ""', `directory: "${folder}"`, 'pidfile: ""'],
  ...['use-syslog: no', 'module-config: "iterator"'],
];

/** Starts the filter next to another process of the same program, the agent, which shares the pages of the executable. */
export async function startSiteFilter({ program }: Shipped, names: string[], upstream: number): Promise<NameServer> {
  const sites = buildSiteList(names);
  const siblingProcess = spawn(program, ['site-filter'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return new Promise((resolve) => {
    const stop = async () => {
      siblingProcess.kill('SIGKILL');
      await child.close();
    };
    const child = filterChild({
      command: () => [...pinCommand, program, 'site-filter'],
      onStart: () =>
        queueMicrotask(() => {
          const actions = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' } as const;
          child.send({ kind: 'rules', rules: { actions, allow: [] } });
          child.send({ kind: 'definitions', ...shippedRecognition(), sites });
          const listenAddress = { address: '127.0.0.1', port: 0 };
          child.send({ kind: 'start', own: listenAddress, page: null, upstream: [{ address: '127.0.0.1', port: upstream }] });
        }),
      onMessage(message) {
        if (message.kind === 'listening') resolve({ name: 'the site filter', port: message.own.port, pid: child.pid() ?? 0, stop });
      },
      onExit: () => {},
    });
  });
}

export async function startDnsmasq(names: string[], upstream: number, folder: string): Promise<NameServer> {
  const port = await freePort();
  const lines = [
    ...[`port=${port}`, 'listen-address=127.0.0.1', 'bind-interfaces', 'no-resolv', 'no-hosts', 'no-poll', 'user=root', 'pid-file='],
    ...[`server=127.0.0.1#${upstream}`, 'cache-size=10000', ...names.map((name) => `address=/${name}/0.0.0.0`)],
  ];
  const file = join(folder, 'dnsmasq.conf');
  await writeFile(file, `${lines.join('\n')}\n`);
  return configuredServer('dnsmasq', port, ['dnsmasq', '--keep-in-foreground', `--conf-file=${file}`]);
}

export async function startUnbound(names: string[], upstream: number, folder: string): Promise<NameServer> {
  const port = await freePort();
  const lines = [
    ...unboundBase(port, folder),
    ...['do-not-query-localhost: no', 'msg-cache-size: 4m', 'rrset-cache-size: 8m'],
    ...names.map((name) => `local-zone: "${name}." always_null`),
    ...['forward-zone:', 'name: "."', `forward-addr: 127.0.0.1@${upstream}`, 'remote-control:', 'control-enable: no'],
  ];
  const file = join(folder, 'unbound.conf');
  await writeFile(file, `${lines.join('\n')}\n`);
  return configuredServer('unbound', port, ['unbound', '-d', '-c', file]);
}

async function configuredServer(name: string, port: number, command: string[], { pin } = { pin: pinCommand }): Promise<NameServer> {
  const [program = '', ...args] = [...pin, ...command];
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const hasEnded = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await answers(port, () => child.exitCode);
  return {
    name,
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL');
      await hasEnded;
    },
  };
}

async function answers(port: number, endReason: () => number | null): Promise<void> {
  const question = Buffer.from('000101000001000000000000076578616d706c65036f72670000010001', 'hex');
  const socket = createSocket('udp4').on('error', () => {});
  let isAnswered = false;
  socket.on('message', () => (isAnswered = true));
  const end = performance.now() + 60_000;
  while (!isAnswered) {
    if (endReason() !== null) throw new Error(`a name server ended with ${endReason()}`);
    if (performance.now() > end) throw new Error('a name server does not answer');
    socket.send(question, port, '127.0.0.1');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  socket.close();
}
