// `npm run installers`: builds all installers into the folder from which the server offers them.
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ServerKeys, serverKeys } from '@porchlight/contract/agent.ts';
import { signDocument } from '@porchlight/definitions/signature.ts';
import root from '../package.json' with { type: 'json' };
import { installed, installersOf, warnings } from './installers.ts';
import { buildProgram, type Program } from './programs.ts';
import { newReleaseKey, releaseKey } from './release-key.ts';
import { type Target, targets } from './targets.ts';
import { makeUpdate } from './update.ts';
import { writeAtomically } from './write-file.ts';

const cache = fileURLToPath(new URL('../.cache/installers', import.meta.url));
const { env } = process;
const data = resolve(env.DATA_DIR || 'data');
const out = resolve(env.INSTALLERS_DIR || join(data, 'installers'));
const url = (env.PUBLIC_URL || `http://localhost:${env.PORT || 4380}`).replace(/\/+$/, '');
const report = (line: string) => console.log(line);

async function keysOf(server: string): Promise<ServerKeys> {
  const answer = await fetch(`${server}/api/agent/server`).catch(() => null);
  if (!answer?.ok) {
    throw new Error(
      `The server at ${server} does not answer. Start it first (npm start), or set PUBLIC_URL to where it is: its public keys are put into the installers.`,
    );
  }
  const keys = serverKeys.parse(await answer.json());
  if (keys.public_url !== server) throw new Error(`The server at ${server} says that it is ${keys.public_url}. Set PUBLIC_URL to that.`);
  return keys;
}

async function build(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, 'new-release-key': { type: 'boolean' } } });
  const keyPath = resolve(env.RELEASE_KEY || join(data, 'release-key.json'));
  if (values['new-release-key']) {
    const statement = await newReleaseKey(keyPath, new Date());
    report(`There is a new release key in ${keyPath}; the one before is in ${keyPath}.old. Keep both where nobody else can read them.`);
    report(`Now tell the agents: npm run porchlight -- keys rotate-release --statement ${statement}`);
    return report('Then run npm run installers once more, so that the next update is signed with it.');
  }
  const wantedTargets = values.only ? values.only.split(',') : [...targets];
  const unknownTargets = wantedTargets.filter((name) => !(targets as readonly string[]).includes(name));
  if (unknownTargets.length)
    throw new Error(`There is no ${unknownTargets.join(', ')}: --only takes ${targets.join(', ')}, with commas between them.`);
  const { version } = root;
  const key = await releaseKey(keyPath);
  const operator = Buffer.from(JSON.stringify(signDocument(await keysOf(url), key)));

  const programs: Program[] = [];
  const files = new Map<string, Buffer>();
  for (const target of wantedTargets as Target[]) {
    report(`Building the agent for ${target}.`);
    const program = await buildProgram({ target, version, key: key.public_key, former: key.former, cache });
    programs.push(program);
    for (const [name, content] of Object.entries(installed(program, operator))) files.set(`programs/${target}/${name}`, content);
  }
  const madeInstallers = await installersOf({ programs, version, operator, server: url, work: join(cache, 'work') });
  for (const [name, content] of madeInstallers) files.set(name, content);
  const update = makeUpdate(programs, version, key, new Date());

  const write = async (path: string, content: Buffer) => {
    const outputFile = join(out, path);
    await mkdir(join(outputFile, '..'), { recursive: true });
    // The write is atomic, because the server may be sending the old file at this moment.
    await writeAtomically(outputFile, content);
  };
  for (const [path, content] of files) await write(path, content);
  await rm(join(out, 'update'), { recursive: true, force: true });
  const updates = [...update.files].map(([sha256, content]): [string, Buffer] => [`update/${sha256}.gz`, content]);
  // The manifest is written last, so that the files it names exist.
  for (const [path, content] of [...updates, ['update/manifest.json', Buffer.from(JSON.stringify(update.manifest))] as const]) {
    files.set(path, content);
    await write(path, content);
  }
  const sums = [...files].map(([path, content]) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`);
  await writeFile(join(out, 'SHA256SUMS'), sums.join(''));
  for (const [path, content] of files) report(`${(content.length / 1e6).toFixed(1).padStart(7)} MB  ${path}`);
  report(`They are in ${out}, version ${version}, for ${url}. ${sums.length} checksums are in SHA256SUMS.`);
  for (const warning of warnings(wantedTargets as Target[], [...madeInstallers.keys()], url)) report(`\nWARNING: ${warning}`);
}

build().catch((err: unknown) => {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 1;
});
