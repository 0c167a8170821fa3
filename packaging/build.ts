// `npm run installers`: builds all installers into the folder from which the server offers them. The server starts it too, in the background.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ServerKeys, serverKeys } from '@porchlight/contract/agent.ts';
import { type BuildEnd, signedWith } from '@porchlight/contract/installer-build.ts';
import root from '../package.json' with { type: 'json' };
import { failureOf } from './build-failed.ts';
import { type BuildPlan, type Built, buildInstallers } from './build-installers.ts';
import { lockBuild } from './build-lock.ts';
import { warnings } from './installers.ts';
import { writeSelfCheck } from './programs.ts';
import { newReleaseKey } from './release-key.ts';
import { type Target, targets } from './targets.ts';
import { windowsSigning } from './windows/certificate.ts';

const { env } = process;
const data = resolve(env.DATA_DIR || 'data');
const out = resolve(env.INSTALLERS_DIR || join(data, 'installers'));
const url = (env.PUBLIC_URL || `http://localhost:${env.PORT || 4380}`).replace(/\/+$/, '');
const keyPath = resolve(env.RELEASE_KEY || join(data, 'release-key.json'));
const { version } = root;
const report = (line: string) => console.log(line);

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'new-release-key': { type: 'boolean' },
    'self-check': { type: 'boolean' },
    /** Where the server answers, if PUBLIC_URL does not lead there from this computer. */
    server: { type: 'string', default: url },
    /** Where the fetched parts are stored, if the program's own folder cannot be written. */
    cache: { type: 'string', default: fileURLToPath(new URL('../.cache/installers', import.meta.url)) },
  },
});

async function keysOf(server: string): Promise<ServerKeys> {
  const answer = await fetch(`${server}/api/agent/server`).catch(() => null);
  if (!answer?.ok) {
    throw new Error(
      `The server at ${server} does not answer. Start it first (npm start), or set PUBLIC_URL to where it is: its public keys are put into the installers.`,
    );
  }
  const keys = serverKeys.parse(await answer.json());
  if (keys.public_url !== url) throw new Error(`The server at ${server} says that it is ${keys.public_url}. Set PUBLIC_URL to that.`);
  return keys;
}

async function makeReleaseKey(): Promise<void> {
  const statement = await newReleaseKey(keyPath, new Date());
  report(`There is a new release key in ${keyPath}; the one before is in ${keyPath}.old. Keep both where nobody else can read them.`);
  report(`Now tell the agents: npm run porchlight -- keys rotate-release --statement ${statement}`);
  report('Then run npm run installers once more, so that the next update is signed with it.');
}

function wantedTargets(): Target[] {
  const wanted = values.only ? values.only.split(',') : [...targets];
  const unknown = wanted.filter((name) => !(targets as readonly string[]).includes(name));
  if (unknown.length) throw new Error(`There is no ${unknown.join(', ')}: --only takes ${targets.join(', ')}, with commas between them.`);
  return wanted as Target[];
}

async function build(): Promise<BuildEnd> {
  const wanted = wantedTargets();
  const signing = await windowsSigning(env, url, new Date());
  const server = await keysOf(values.server.replace(/\/+$/, ''));
  const certificate =
    signing &&
    createHash('sha256')
      .update(await readFile(signing.certificate))
      .digest('hex');
  const plan: BuildPlan = {
    ...{ targets: wanted, version, server, keyPath, cache: values.cache, out, signing },
    signedWith: certificate && signedWith(certificate, env.WINDOWS_TIMESTAMP_URL),
  };
  const lock = await lockBuild(out);
  if (!lock) return { end: 'busy' };
  try {
    const built = await buildInstallers(plan, lock, report);
    return { end: 'built', notes: reportBuilt(built, wanted) };
  } finally {
    lock.release();
  }
}

/** Returns the sentences that an operator should read who did not start the build. */
function reportBuilt({ sizes, installers, madeReleaseKey }: Built, wanted: Target[]): string[] {
  for (const [path, bytes] of sizes) report(`${(bytes / 1e6).toFixed(1).padStart(7)} MB  ${path}`);
  report(`They are in ${out}, version ${version}, for ${url}. ${sizes.size} checksums are in SHA256SUMS.`);
  for (const warning of warnings(wanted, installers, url)) report(`\nWARNING: ${warning}`);
  const keyNote = `A release key was made in ${keyPath}, which signs updates of the agents. Keep a copy of it: agents take no update that is signed with another key.`;
  if (madeReleaseKey) report(`\n${keyNote}`);
  return madeReleaseKey ? [keyNote] : [];
}

async function main(): Promise<void> {
  // The exit frees the lock. A build that a server started ends with that server.
  for (const event of ['disconnect', 'SIGTERM', 'SIGINT'] as const) process.once(event, () => process.exit(1));
  if (values['new-release-key']) return makeReleaseKey();
  if (values['self-check']) {
    for (const target of wantedTargets()) report(await writeSelfCheck(target, values.cache, join(data, 'self-check')));
    return;
  }
  const end = await build().catch((err: unknown): BuildEnd => {
    const { reason, message } = failureOf(err);
    return { end: 'failed', reason, message };
  });
  if (end.end !== 'built') process.exitCode = 1;
  if (end.end === 'failed') console.error(end.message);
  if (end.end === 'busy') console.error(`Another build of the installers runs in ${out}. Wait until it has ended.`);
  if (process.connected) process.send?.(end, () => process.exit());
}

await main();
