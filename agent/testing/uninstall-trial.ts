// Runs inside a network namespace with a resolv.conf and a hosts file (with known.example in it) of its own and a network that is no loopback, as root there: an agent with --system, and
// beside it `--uninstall`, while the servers of the network answer and while they do not. Says what came of it, one JSON object a line.
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
const say = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));

/** Whom this network asks for names. */
let answers = (_name: string) => false;
const asked: string[] = [];
const servers = createSocket('udp4');
servers.on('message', (packet, from) => {
  const query = readQuery(packet);
  if (typeof query === 'number') return;
  asked.push(query.name);
  if (!answers(query.name)) return;
  const answer = emptyAnswer(packet, { ...query, edns: false }, 0);
  answer[7] = query.type === 1 ? 1 : 0;
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1]);
  servers.send(query.type === 1 ? Buffer.concat([answer, address]) : answer, from.port, from.address);
});
await new Promise<void>((resolve) => servers.bind(53, '127.0.0.9', resolve));

const before = conf();
const server = await testServer();
const folder = join(home, 'linked');
const agent = runAgent(server, folder, ['--system', '--code', 'ABCD-EFGH']);
process.once('exit', () => agent.child.kill('SIGKILL'));
const uninstall = async (place: string, input: string, url = server.url) => {
  const run = runAgent({ url }, place, ['--uninstall'], input);
  return [await run.over, run.said()];
};
await until('names to be ours', isOurs, 20_000).catch(() => say('agent', agent.said()));

say('no name', await uninstall(folder, `${testPin}\n`));
say('said then', [...server.goodbyes]);
say('protects again', await until('names to be ours again', isOurs, 10_000));

answers = () => true;
say('a name', await uninstall(folder, `${testPin}\n`));
say('said at last', [...server.goodbyes]);
say('through us', isOurs());
// It looks every two seconds.
const since = performance.now();
let taken = false;
await until('three looks', () => {
  taken ||= isOurs();
  return performance.now() - since > 6500;
});
say('taken again', taken);
agent.child.kill('SIGTERM');
say('ended', await agent.over);
say('said after', [...server.goodbyes]);
say('as before', conf() === before);

const free = (name: string) => uninstall(join(home, 'free'), '', `http://${name}.example`);
answers = () => false;
say('of nobody, no name but of the hosts file', await free('known'));
answers = (name) => name === 'other.example';
say('of nobody, the name of the server', await free('other'));
answers = () => false;
execFileSync('ip', ['link', 'set', network, 'down']);
say('of nobody, no network', await free('other'));
say('said of nobody', server.goodbyes.length - 2);
say(
  'asked',
  ['known.example', 'other.example', 'example.com'].map((name) => asked.includes(name)),
);
await server.close();
process.exit(0);
