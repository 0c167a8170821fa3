// Runs as root in namespaces with a network, /etc and /run of its own. Starts a real agent beside one kind of resolver, changes the network,
// kills the filter and the agent, and stops it. Prints the results as lines of JSON. Arguments: the kind; for resolved its program and
// the folder of its libraries.
import { execFile, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startNetworkDns } from './network-dns.ts';
import { until } from './until.ts';

const [kind = '', resolved = '', libraries = ''] = process.argv.slice(2);
const run = promisify(execFile);
const printResult = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));
/** The address by the C library, as other programs get it; '' without one. */
const addressOf = (name: string) =>
  run('getent', ['ahostsv4', name]).then(
    ({ stdout }) => stdout.split(/\s/)[0] ?? '',
    () => '',
  );
let asked = 0;
const isOurs = async () => (await addressOf(`${asked++}.dns.porchlight.test`)) === '192.0.2.53';

// The two networks have a server each, and every name has another address in each.
await startNetworkDns('127.0.0.9', '192.0.2.9');
await startNetworkDns('127.0.0.8', '192.0.2.8');
const nameserver = (server: string) => `# of this network\nnameserver ${server}\noptions timeout:2${kind === 'rotate' ? ' rotate' : ''}\n`;

const managed = '/run/NetworkManager/resolv.conf';
const link = (target: string) => {
  rmSync('/etc/resolv.conf', { force: true });
  symlinkSync(target, '/etc/resolv.conf');
};
const dropInFolder = '/etc/systemd/resolved.conf.d';
const kinds: Record<string, { start(): Promise<void>; change(server: string): Promise<void>; settings(): string }> = {
  file: {
    start: async () => writeFileSync('/etc/resolv.conf', nameserver('127.0.0.9')),
    change: async (server) => writeFileSync('/etc/resolv.conf', nameserver(server)),
    settings: () => readFileSync('/etc/resolv.conf', 'utf8'),
  },
  network_manager: {
    async start() {
      mkdirSync('/run/NetworkManager');
      writeFileSync(managed, nameserver('127.0.0.9'));
      link(managed);
    },
    change: async (server) => writeFileSync(managed, nameserver(server)),
    settings: () => `${lstatSync('/etc/resolv.conf').isSymbolicLink()} ${readFileSync(managed, 'utf8')}`,
  },
  resolved: {
    async start() {
      mkdirSync('/run/systemd/resolve', { recursive: true });
      writeFileSync('/etc/systemd/resolved.conf', '[Resolve]\nLLMNR=no\nMulticastDNS=no\nDNS=127.0.0.9\n');
      await run('systemctl', ['start', 'systemd-resolved']);
      await until('the stub', async () => (await addressOf('one.example')) === '192.0.2.9', 15_000);
    },
    async change(server) {
      writeFileSync('/etc/systemd/resolved.conf', `[Resolve]\nLLMNR=no\nMulticastDNS=no\nDNS=${server}\n`);
      await run('systemctl', ['restart', 'systemd-resolved']);
    },
    settings: () => {
      const dropIns = readdirSync('/etc/systemd').includes('resolved.conf.d') ? readdirSync(dropInFolder) : [];
      return JSON.stringify([dropIns, lstatSync('/etc/resolv.conf').isSymbolicLink()]);
    },
  },
};
kinds.rotate = kinds.file as NonNullable<(typeof kinds)[string]>;
// The network manager starts after the agent.
kinds.dangling = { ...(kinds.network_manager as NonNullable<(typeof kinds)[string]>), start: async () => link(managed) };
const { start, change, settings } = kinds[kind] ?? process.exit(2);

if (kind === 'resolved') {
  // Runs resolved in the place of systemctl, because there is no systemd here.
  const isForResolved = 'for last; do :; done; [ "$last" = systemd-resolved ] || exit 1';
  // A process that has ended stays a zombie here.
  const stop = 'pid=$(cat /run/resolved.pid); kill $pid; while grep -q "^State:[^Z]*$" /proc/$pid/status; do :; done';
  const begin = `LD_LIBRARY_PATH=${libraries} ${resolved} </dev/null >/dev/null 2>&1 9>&- & echo $! > /run/resolved.pid`;
  writeFileSync(
    '/usr/bin/systemctl',
    ['#!/bin/sh', 'exec 2>/dev/null', isForResolved, 'exec 9>/run/one-at-a-time; flock 9', stop, begin, ''].join('\n'),
  );
  link('/run/systemd/resolve/stub-resolv.conf');
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
let log = '';
const startAgent = () => {
  const agent = spawn(process.execPath, [main, '--system', '--free'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of [agent.stdout, agent.stderr]) stream.on('data', (text: Buffer) => (log += text.toString()));
  return agent;
};
const filterOf = (agent: number | undefined) =>
  readdirSync('/proc').find((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '');
      return (
        stat.split(' ')[1] === String(agent) && !stat.startsWith('Z') && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dns-filter')
      );
    } catch {
      return false;
    }
  });
const isBlocking = 'Scam sites are blocked: this computer';
const timesLogged = (text: string) => log.split(text).length - 1;

process.on('uncaughtException', (err) => {
  console.error(err, log, readFileSync('/etc/resolv.conf', 'utf8'));
  process.exit(1);
});

await start();
const before = kind === 'dangling' ? `true ${nameserver('127.0.0.9')}` : settings();
let agent = startAgent();
if (kind === 'dangling') {
  await until('the start of the filter', () => filterOf(agent.pid), 30_000);
  printResult('without a target', [lstatSync('/etc/resolv.conf').isSymbolicLink(), timesLogged(isBlocking)]);
  mkdirSync('/run/NetworkManager');
  await change('127.0.0.9');
}
await until('names to be ours', isOurs, 30_000);
const lookups = await Promise.all(Array.from({ length: 12 }, isOurs));
printResult('ours of 12 lookups', lookups.filter(Boolean).length);
printResult('an address of the network', await addressOf('one.example'));
await until('the sentence', () => timesLogged(isBlocking) === 1, 10_000);

await change('127.0.0.8');
await until('names to be ours in the next network', isOurs, 30_000);
await until('the address of the next network', async () => (await addressOf('two.example')) === '192.0.2.8', 30_000);
printResult('the network has changed', true);
if (kind === 'dangling' || kind === 'network_manager') {
  rmSync(managed);
  await until('no settings', async () => (await addressOf('three.example')) !== '192.0.2.9', 10_000);
  await change('127.0.0.9');
  await until('names to be ours after the target was missing', isOurs, 30_000);
  printResult('the link is a link', lstatSync('/etc/resolv.conf').isSymbolicLink());
} else await change('127.0.0.9');
await until('names to be ours again', isOurs, 30_000);

const filter = Number(filterOf(agent.pid));
process.kill(filter, 'SIGSTOP');
process.kill(filter, 'SIGKILL');
printResult('while the filter is dead', (await addressOf('four.example')) !== '');
await until('names to be ours after the filter was killed', isOurs, 30_000);
printResult('ours after the filter was killed', true);

process.kill(agent.pid ?? 0, 'SIGKILL');
await until(
  'names as before after the agent was killed',
  async () => (await addressOf('five.example')) === '192.0.2.9' && !(await isOurs()),
  30_000,
);
await until('settings as before', () => settings() === before, 10_000).catch(() => printResult('left', settings()));

agent = startAgent();
await until('names to be ours in the second run', isOurs, 30_000);
const ended = new Promise((resolve) => agent.once('exit', resolve));
process.kill(agent.pid ?? 0, 'SIGTERM');
await ended;
await until('names as before after the stop', async () => (await addressOf('six.example')) === '192.0.2.9' && !(await isOurs()), 30_000);
printResult('as before after the stop', settings() === before || settings());
process.exit(0);
