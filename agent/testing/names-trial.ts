// Runs inside a network namespace with a resolv.conf of its own, as root there: the whole agent with --system, its filter, then itself
// are killed. Says what came of it, one JSON object a line.
import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { emptyAnswer } from '../dns-filter/dns/answer.ts';
import { readQuery } from '../dns-filter/dns/query.ts';
import { until } from './until.ts';

const conf = () => readFileSync('/etc/resolv.conf', 'utf8');
const say = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));
/** As every program of this computer looks a name up: by the C library. In milliseconds; -1 when it was not found. */
const lookUp = (name: string) =>
  new Promise<number>((resolve) => {
    const before = performance.now();
    execFile('getent', ['ahostsv4', name], (err) => resolve(err ? -1 : Math.round(performance.now() - before)));
  });

const upstream = createSocket('udp4');
upstream.on('message', (packet, from) => {
  const query = readQuery(packet);
  if (typeof query === 'number') return;
  const answer = Buffer.concat([
    emptyAnswer(packet, { ...query, edns: false }, 0),
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1]),
  ]);
  answer[7] = 1;
  upstream.send(query.type === 1 ? answer : emptyAnswer(packet, query, 0), from.port, from.address);
});
await new Promise<void>((resolve) => upstream.bind(53, '127.0.0.9', resolve));

const before = conf();
say('before', await lookUp('one.example'));
const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const agent = spawn(process.execPath, [main, '--system', '--free'], { stdio: 'ignore', detached: true });
const childOf = (pid: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => {
      try {
        return (
          readFileSync(`/proc/${name}/stat`, 'utf8').replace(/.*\) /, '').split(' ')[1] === String(pid) &&
          readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('dns-filter')
        );
      } catch {
        return false;
      }
    });
await until('names to be ours', () => conf().includes('nameserver 127.0.0.1\n'), 20_000);
say(
  'ours first',
  conf()
    .split('\n')
    .filter((line) => line.startsWith('nameserver')),
);
say('through us', await lookUp('use-application-dns.net'));
const first = Number(childOf(agent.pid ?? 0));
process.kill(first, 'SIGKILL');
say('filter killed', await lookUp('two.example'));
await until('another filter', () => Number(childOf(agent.pid ?? 0)) !== first && childOf(agent.pid ?? 0), 10_000);
const back = Date.now();
await until('names to be answered by us again', async () => (await lookUp('use-application-dns.net')) === -1, 10_000);
say('filter back', Date.now() - back);
const second = Number(childOf(agent.pid ?? 0));
process.kill(agent.pid ?? 0, 'SIGKILL');
say('agent killed', await lookUp('three.example'));
await until('resolv.conf as before', () => conf() === before, 10_000).catch(() => say('left', conf()));
say('as before', await lookUp('use-application-dns.net'));
/** Also true for a zombie, which nobody reaps where the first process is no init. */
const isOver = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').startsWith('Z');
  } catch {
    return true;
  }
};
await until('the end of the filter', () => isOver(second), 10_000);
// Both at once, with nobody left to put anything back.
const again = spawn(process.execPath, [main, '--system', '--free'], { stdio: 'ignore', detached: true });
await until('names to be ours', () => conf().includes('nameserver 127.0.0.1\n'), 20_000);
const last = Number(childOf(again.pid ?? 0));
for (const pid of [again.pid ?? 0, last]) process.kill(pid, 'SIGSTOP');
for (const pid of [again.pid ?? 0, last]) process.kill(pid, 'SIGKILL');
say('both killed', await lookUp('four.example'));
const restored = spawn(process.execPath, [main, '--restore-names'], { stdio: 'ignore' });
await new Promise((resolve) => restored.once('exit', resolve));
say('put back by hand', conf() === before);
process.exit(0);
