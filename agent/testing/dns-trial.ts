// Runs as root in a network namespace with its own resolv.conf: kills the DNS filter and then the agent. Prints the results as lines of
// JSON.
import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startNetworkDns } from './network-dns.ts';
import { until } from './until.ts';

const conf = () => readFileSync('/etc/resolv.conf', 'utf8');
const printResult = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));
/** Resolves through the C library, as other programs do. Returns milliseconds; -1 on failure. */
const lookUp = (name: string) =>
  new Promise<number>((resolve) => {
    const startedAt = performance.now();
    execFile('getent', ['ahostsv4', name], (err) => resolve(err ? -1 : Math.round(performance.now() - startedAt)));
  });

await startNetworkDns('127.0.0.9');

const settingsBefore = conf();
printResult('before', await lookUp('one.example'));
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
printResult(
  'ours first',
  conf()
    .split('\n')
    .filter((line) => line.startsWith('nameserver')),
);
printResult('through us', await lookUp('use-application-dns.net'));
const firstPid = Number(childOf(agent.pid ?? 0));
process.kill(firstPid, 'SIGKILL');
printResult('filter killed', await lookUp('two.example'));
await until('another filter', () => Number(childOf(agent.pid ?? 0)) !== firstPid && childOf(agent.pid ?? 0), 10_000);
const back = Date.now();
await until('names to be answered by us again', async () => (await lookUp('use-application-dns.net')) === -1, 10_000);
printResult('filter back', Date.now() - back);
const secondPid = Number(childOf(agent.pid ?? 0));
process.kill(agent.pid ?? 0, 'SIGKILL');
printResult('agent killed', await lookUp('three.example'));
await until('resolv.conf as before', () => conf() === settingsBefore, 10_000).catch(() => printResult('left', conf()));
printResult('as before', await lookUp('use-application-dns.net'));
/** Also true for a zombie, because a container may have no init that reaps it. */
const isOver = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').startsWith('Z');
  } catch {
    return true;
  }
};
await until('the end of the filter', () => isOver(secondPid), 10_000);
// Kills agent and filter at once, so that neither restores the DNS settings.
const secondAgent = spawn(process.execPath, [main, '--system', '--free'], { stdio: 'ignore', detached: true });
await until('names to be ours', () => conf().includes('nameserver 127.0.0.1\n'), 20_000);
const lastPid = Number(childOf(secondAgent.pid ?? 0));
for (const pid of [secondAgent.pid ?? 0, lastPid]) process.kill(pid, 'SIGSTOP');
for (const pid of [secondAgent.pid ?? 0, lastPid]) process.kill(pid, 'SIGKILL');
printResult('both killed', await lookUp('four.example'));
const restored = spawn(process.execPath, [main, '--restore-names'], { stdio: 'ignore' });
await new Promise((resolve) => restored.once('exit', resolve));
printResult('put back by hand', conf() === settingsBefore);
process.exit(0);
