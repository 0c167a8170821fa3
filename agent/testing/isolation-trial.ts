// Runs as root in namespaces of its own, with our server, a DNS server and another server of the internet. Beside it is a computer, in
// another network, on which a real agent cuts the internet. Prints the results as lines of JSON.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unit } from '@porchlight/packaging/linux/unit.ts';
import { messages } from '../ui/messages/messages.ts';
import { isolationFor } from './isolation.ts';
import { inboundPort, type Probe } from './isolation-probe.ts';
import { startNetworkDns } from './network-dns.ts';
import { type Run, runAgent } from './process.ts';
import { testPin, testServer } from './server.ts';
import { until } from './until.ts';

const [home = ''] = process.argv.slice(2);
const printResult = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));

/** `startNetworkDns` gives every name the first address. */
const [ours, other, dns, computer] = ['192.0.2.1', '192.0.2.2', '192.0.2.53', '192.0.2.9'];
const [oursPort, otherPort] = [8443, 8080];
const ip = (line: string) => execFileSync('ip', line.split(' '));
ip('link set lo up');
ip('link add internet type veth peer name computer');
for (const address of [ours, other, dns]) ip(`addr add ${address}/24 dev internet`);
ip('link set internet up');

const probeFile = fileURLToPath(new URL('isolation-probe.ts', import.meta.url));
const script = 'ip link set lo up && exec "$@"';
const probe = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', process.execPath, probeFile], { stdio: ['ignore', 2, 2, 'ipc'] });
process.once('exit', () => probe.kill('SIGKILL'));
const pending = new Map<number, (answer: unknown) => void>();
const ready = new Promise((resolve) => pending.set(0, resolve));
probe.on('message', ({ id, answer }: { id: number; answer: unknown }) => pending.get(id)?.(answer));
await ready;
const onComputer = ['nsenter', `--net=/proc/${probe.pid}/ns/net`];
const there = (...command: string[]) => spawnSync(onComputer[0] ?? '', [...onComputer.slice(1), ...command], { encoding: 'utf8' });
ip(`link set computer netns ${probe.pid}`);
there('ip', 'addr', 'add', `${computer}/24`, 'dev', 'computer');
there('ip', 'link', 'set', 'computer', 'up');

let questions = 0;
const ask = (question: Probe) =>
  new Promise((resolve) => {
    pending.set(++questions, resolve);
    probe.send({ id: questions, probe: question });
  });
const reaches = (host: string, port: number) => ask({ kind: 'connect', host, port });
const reachesOther = () => reaches(other, otherPort);
const isCut = async () => !(await reachesOther());
const isReached = () =>
  new Promise((resolve) => {
    const socket = connect({ host: computer, port: inboundPort, timeout: 400 });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true)).once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
/** Milliseconds until the condition is true. */
async function timed(name: string, condition: () => unknown, since = performance.now()): Promise<number> {
  await until(name, condition, 30_000);
  return Math.round(performance.now() - since);
}
/** Takes the place of nft: notes each call, and refuses all while the file `refused` exists. */
const [nftPath, nft, nftCalls, refused] = ['/usr/sbin/nft', join(home, 'nft'), join(home, 'nft-calls'), join(home, 'nft-refused')];
copyFileSync(nftPath, nft);
const nftScript = join(home, 'nft-script');
writeFileSync(nftCalls, '');
writeFileSync(
  nftScript,
  `#!/bin/sh\necho >> "${nftCalls}"\nif [ -e "${refused}" ]; then echo "not permitted" >&2; exit 1; fi\nexec "${nft}" "$@"\n`,
  { mode: 0o755 },
);
execFileSync('mount', ['--bind', nftScript, nftPath]);
const calls = () => readFileSync(nftCalls, 'utf8').length;
const tables = () => there(nft, 'list', 'tables').stdout.trim();
/** Seconds until the kernel forgets. */
const kernelLeft = () => {
  const [, minutes = 0, seconds = 0] = /tcp timeout \S+ expires (?:(\d+)m)?(?:(\d+)s)?/.exec(there(nft, 'list', 'ruleset').stdout) ?? [];
  return 60 * Number(minutes) + Number(seconds);
};
const everything = async () => ({
  ...{ other: await reachesOther(), server: await reaches(ours, oursPort), loopback: await reaches('127.0.0.1', inboundPort) },
  ...{ lookup: await ask({ kind: 'lookup', server: dns }), open: await ask({ kind: 'echo' }), inbound: await isReached() },
  // Another port of the server's computer.
  port: await reaches(ours, otherPort),
});

const server = await testServer();
const listen = (host: string, port: number, handle: (socket: import('node:net').Socket) => void) =>
  new Promise<void>((resolve) => void createServer(handle).listen(port, host, resolve));
await listen(ours, oursPort, (socket) => {
  const inner = connect(Number(new URL(server.url).port), '127.0.0.1');
  for (const one of [socket, inner]) one.on('error', () => {}).on('close', () => [socket, inner].map((end) => end.destroy()));
  socket.pipe(inner).pipe(socket);
});
for (const host of [ours, other]) await listen(host, otherPort, (socket) => void socket.on('error', () => {}).pipe(socket));
await startNetworkDns(dns);

const folder = join(home, 'data');
const url = `http://porchlight.example:${oursPort}`;
/** The rights of the service. */
const capabilities = (/^CapabilityBoundingSet=(.*)$/m.exec(unit)?.[1] ?? '')
  .split(' ')
  .map((name) => `+${name.replace('CAP_', '').toLowerCase()}`);
const asService = [...onComputer, 'setpriv', `--bounding-set=-all,${capabilities.join(',')}`, '--inh-caps=-all', '--no-new-privs', '--'];
const agents: Run[] = [];
process.once('exit', () => agents.map(({ child }) => child.kill('SIGKILL')));
async function startAgent(...args: string[]): Promise<Run> {
  const agent = runAgent({ url }, folder, ['--system', ...args], '', asService);
  agents.push(agent);
  await agent.printed(messages.terminal.watching('Laptop'));
  return agent;
}
const polls = () => server.polls();
const cut = (ms: number) => {
  server.setPolicy(isolationFor(ms));
  return performance.now();
};

let agent = await startAgent('--code', 'ABCD-EFGH');
await ask({ kind: 'open', host: other, port: otherPort });
await ask({ kind: 'watch', name: 'server', host: ours, port: oursPort });
await ask({ kind: 'watch', name: 'loopback', host: '127.0.0.1', port: inboundPort });
printResult('before', await everything());
const callsBefore = calls();
let since = cut(900_000);
printResult('cut after', await timed('the cut', isCut, since));
printResult('during', await everything());
since = performance.now();
server.setPolicy({ isolation: null });
printResult('back after null', await timed('the end', reachesOther, since));
await ask({ kind: 'open', host: other, port: otherPort });
printResult('afterwards', await everything());
printResult('tables afterwards', tables());
const callsAfterwards = calls();

since = cut(600_000);
await timed('the cut that others take away', isCut);
/** Milliseconds until it is cut again after this command of somebody else. */
const cutAgainAfter = async (...command: string[]) => {
  there(nft, ...command);
  const changedAt = performance.now();
  return timed('the cut again', () => there(nft, 'list', 'ruleset').stdout.match(/@cut drop/g)?.length === 3, changedAt);
};
for (const command of ['flush ruleset', 'delete table inet porchlight_isolation', 'flush chain inet porchlight_isolation output'])
  printResult(command, [await cutAgainAfter(...command.split(' ')), await isCut()]);
printResult('not longer when cut again', 600 - kernelLeft() - Math.floor((performance.now() - since) / 1000));
const cutEvents = () =>
  server.events.flatMap(({ reported }) => (reported.kind === 'isolation' ? [[reported.in_force, reported.put_back]] : []));
await until('the report that it was put back', () => cutEvents().length === 1);
writeFileSync(refused, '');
there(nft, 'flush', 'ruleset');
await until('the report that it is not in force', () => cutEvents().length === 2, 5000);
const callsRefused = calls();
await until('more attempts', () => calls() > callsRefused + 2, 20_000);
printResult('reports while nothing can be cut', cutEvents());
rmSync(refused);
await timed('the cut after that', isCut);
server.setPolicy({ isolation: null });
await until('its end', () => tables() === '', 20_000);
await until('the last report', () => cutEvents().length === 3);
printResult('the last report', cutEvents().at(-1));
printResult('nft without a cut', [callsBefore, callsAfterwards]);

since = cut(3000);
await timed('a short cut', isCut);
printResult('at the end', await timed('its end', reachesOther, since));
await until('the rules to be removed', () => tables() === '');

since = cut(4000);
await timed('the cut before the kill', isCut);
agent.child.kill('SIGKILL');
await agent.ended;
printResult('cut without an agent', await isCut());
printResult('back without an agent', await timed('the end by the kernel', reachesOther, since));
printResult('rules without an agent', tables());

server.setPolicy({ isolation: null });
agent = await startAgent();
await until('the left rules to be removed', () => tables() === '', 20_000);
since = cut(600_000);
await timed('the cut before the restart', isCut);
agent.child.kill('SIGKILL');
await agent.ended;
const pollsBefore = polls();
agent = await startAgent();
await until('the restarted agent to reach the server', () => polls() > pollsBefore, 20_000);
printResult('cut after the restart', [await isCut(), !(await ask({ kind: 'lookup', server: dns }))]);
// The agent measures from the moment at which it read the policy.
printResult('not longer', 600 - kernelLeft() - Math.floor((performance.now() - since) / 1000));

since = performance.now();
agent.child.kill('SIGTERM');
printResult('stopped', await agent.ended);
printResult('back after the stop', [await reachesOther(), tables()]);

agent = await startAgent();
await timed('the cut before the uninstall', isCut);
const uninstall = runAgent({ url }, folder, ['--uninstall'], `${testPin}\n`, onComputer);
printResult('uninstalled', [await uninstall.ended, uninstall.output()]);
printResult('back after the uninstall', [await reachesOther(), tables()]);
agent.child.kill('SIGTERM');
await agent.ended;
printResult('back at last', [await reachesOther(), tables()]);
printResult('watched', await ask({ kind: 'watched' }));
await server.close();
process.exit(0);
