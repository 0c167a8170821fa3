// Runs as root in network, mount and process namespaces of its own, where only loopback exists: `npm start` without settings, as a newcomer who is
// root begins. Prints the results as lines of JSON.
import { execFile, spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { handOver } from '@porchlight/agent/lib/hand-over.ts';
import { startNetworkDns } from '@porchlight/agent/testing/network-dns.ts';
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

await startNetworkDns('127.0.0.9');

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
const conf = () => readFileSync('/etc/resolv.conf', 'utf8');
const browserPolicies = () => existsSync('/etc/chromium/policies/managed/porchlight.json');
const filter = new Resolver();
filter.setServers(['127.0.0.1']);
await until('our DNS server', () =>
  filter.resolve4('knitting.example').then(
    () => true,
    () => false,
  ),
);
printResult('before the link', [conf(), browserPolicies()]);
const world = { url, dataDir, mailbox: async () => (await readMailbox({ url, dataDir })).mails };
const ann = await registeredPerson(world, 'Ann Example');
const bob = await acceptedGuardian(world, ann);
const { link_uri, link_uri_signature } = await call(url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
const refusal = await handOver({ origin: url, uri: link_uri, signature: link_uri_signature }, limits.loopback_port);
if (refusal) throw new Error(`The link was refused: ${JSON.stringify(refusal)}`);
await until('protection', () => output.includes('Porchlight protects this computer as Den PC.'), 60_000);
await until('our DNS server to be first', () => conf().includes('nameserver 127.0.0.1\n'), 60_000);
await until('the sentence about it', () =>
  output.includes('Scam sites are blocked: this computer now looks up websites through Porchlight.'),
);
await until('the list of sites', async () => (await lookUp(names[0] ?? '')) === '127.0.0.2', 60_000);
printResult('addresses', Object.fromEntries(await Promise.all(names.map(async (name) => [name, await lookUp(name)]))));
printResult('page', await open(names[0] ?? ''));
const alert = await until('the family’s email', async () =>
  (await world.mailbox()).find(({ to, subject }) => to.includes(bob.email) && subject.includes(names[0] ?? '')),
);
printResult('email', alert.subject);
await until('the policies of the browsers', browserPolicies);

const ended = new Promise((resolve) => started.once('exit', resolve));
started.kill('SIGTERM');
printResult('exit code', await ended);
printResult('after the end', [conf(), browserPolicies()]);
process.exit(0);
