// Runs as root in network, mount and process namespaces of its own, where only loopback exists: `npm start` without settings, as a newcomer who is
// root begins. Prints the results as lines of JSON.
import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { emptyAnswer } from '@porchlight/agent/dns-filter/dns/answer.ts';
import { readQuery } from '@porchlight/agent/dns-filter/dns/query.ts';
import { handOver } from '@porchlight/agent/lib/hand-over.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { call } from './call.ts';
import { acceptedGuardian } from './guardians.ts';
import { registeredPerson } from './people.ts';
import { root } from './root.ts';
import { until } from './until.ts';
import { readMailbox } from './world.ts';

const [dataDir = '', ...names] = process.argv.slice(2);
const url = 'http://localhost:4380';
const printResult = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));

/** The network's DNS server: every name has the same address. */
const network = createSocket('udp4');
network.on('message', (packet, from) => {
  const query = readQuery(packet);
  if (typeof query === 'number') return;
  const answer = Buffer.concat([
    emptyAnswer(packet, { ...query, edns: false }, 0),
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1]),
  ]);
  answer[7] = 1;
  network.send(query.type === 1 ? answer : emptyAnswer(packet, query, 0), from.port, from.address);
});
await new Promise<void>((resolve) => network.bind(53, '127.0.0.9', resolve));

/** Resolves through the C library, as other programs do. Null where there is no address. */
const lookUp = (name: string) =>
  promisify(execFile)('getent', ['ahostsv4', name]).then(
    ({ stdout }) => stdout.split(/\s/)[0] ?? null,
    () => null,
  );
const open = (name: string) =>
  new Promise<string>((resolve, reject) => {
    get({ host: name, path: '/', headers: { host: name } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve(text));
    }).once('error', reject);
  });

const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
const started = spawn(process.execPath, [join(root, 'dev', 'start.ts')], {
  env: { PATH, HOME, DATA_DIR: dataDir, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
started.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
await until('npm start', () => output.includes('Protection:'), 120_000);
await until('our DNS server to be first', () => readFileSync('/etc/resolv.conf', 'utf8').includes('nameserver 127.0.0.1\n'), 60_000);
await until('the sentence about it', () =>
  output.includes('Scam sites are blocked: this computer now looks up websites through Porchlight.'),
);

const world = { url, dataDir, mailbox: async () => (await readMailbox({ url, dataDir })).mails };
const ann = await registeredPerson(world, 'Ann Example');
const bob = await acceptedGuardian(world, ann);
const { link_uri, link_uri_signature } = await call(url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
const refusal = await handOver({ origin: url, uri: link_uri, signature: link_uri_signature }, limits.loopback_port);
if (refusal) throw new Error(`The link was refused: ${JSON.stringify(refusal)}`);
await until('protection', () => output.includes('Porchlight protects this computer as Den PC.'), 60_000);
await until('the list of sites', async () => (await lookUp(names[0] ?? '')) === '127.0.0.2', 60_000);
printResult('addresses', Object.fromEntries(await Promise.all(names.map(async (name) => [name, await lookUp(name)]))));
printResult('page', await open(names[0] ?? ''));
const alert = await until('the family’s email', async () =>
  (await world.mailbox()).find(({ to, subject }) => to.includes(bob.email) && subject.includes(names[0] ?? '')),
);
printResult('email', alert.subject);

const conf = () => readFileSync('/etc/resolv.conf', 'utf8');
const ended = new Promise((resolve) => started.once('exit', resolve));
started.kill('SIGTERM');
printResult('exit code', await ended);
printResult('resolv.conf', conf());
process.exit(0);
