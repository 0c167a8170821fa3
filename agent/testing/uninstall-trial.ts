// Runs as root in a network namespace with its own network, resolv.conf and hosts file: an agent with --system, and `--uninstall` with and
// without working DNS servers. Prints the results as lines of JSON.
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyAnswer } from '../dns-filter/dns/answer.ts';
import { readQuery } from '../dns-filter/dns/query.ts';
import { runAgent } from './process.ts';
import { testPin, testServer } from './server.ts';
import { until } from './until.ts';

const [home = '', network = ''] = process.argv.slice(2);
const conf = () => readFileSync('/etc/resolv.conf', 'utf8');
const isOurs = () => conf().includes('nameserver 127.0.0.1\n');
const printResult = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));

let answers = (_name: string) => false;
const queriedNames: string[] = [];
const servers = createSocket('udp4');
servers.on('message', (packet, from) => {
  const query = readQuery(packet);
  if (typeof query === 'number') return;
  queriedNames.push(query.name);
  if (!answers(query.name)) return;
  const answer = emptyAnswer(packet, { ...query, edns: false }, 0);
  answer[7] = query.type === 1 ? 1 : 0;
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1]);
  servers.send(query.type === 1 ? Buffer.concat([answer, address]) : answer, from.port, from.address);
});
await new Promise<void>((resolve) => servers.bind(53, '127.0.0.9', resolve));

const settingsBefore = conf();
const server = await testServer();
const folder = join(home, 'linked');
const agent = runAgent(server, folder, ['--system', '--code', 'ABCD-EFGH']);
process.once('exit', () => agent.child.kill('SIGKILL'));
const uninstall = async (dataFolder: string, input: string, url = server.url) => {
  const run = runAgent({ url }, dataFolder, ['--uninstall'], input);
  return [await run.ended, run.output()];
};
await until('names to be ours', isOurs, 20_000).catch(() => printResult('agent', agent.output()));

printResult('no name', await uninstall(folder, `${testPin}\n`));
printResult('said then', [...server.goodbyes]);
printResult('protects again', await until('names to be ours again', isOurs, 10_000));

answers = () => true;
printResult('a name', await uninstall(folder, `${testPin}\n`));
printResult('said at last', [...server.goodbyes]);
printResult('through us', isOurs());
const since = performance.now();
let redirected = false;
await until('three looks', () => {
  redirected ||= isOurs();
  return performance.now() - since > 6500;
});
printResult('taken again', redirected);
agent.child.kill('SIGTERM');
printResult('ended', await agent.ended);
printResult('said after', [...server.goodbyes]);
printResult('as before', conf() === settingsBefore);

const free = (name: string) => uninstall(join(home, 'free'), '', `http://${name}.example`);
answers = () => false;
printResult('of nobody, no name but of the hosts file', await free('known'));
answers = (name) => name === 'other.example';
printResult('of nobody, the name of the server', await free('other'));
answers = () => false;
execFileSync('ip', ['link', 'set', network, 'down']);
printResult('of nobody, no network', await free('other'));
printResult('said of nobody', server.goodbyes.length - 2);
printResult(
  'asked',
  ['known.example', 'other.example', 'example.com'].map((name) => queriedNames.includes(name)),
);
await server.close();
process.exit(0);
