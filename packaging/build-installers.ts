import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerKeys } from '@porchlight/contract/agent.ts';
import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { type BuiltInstallers, buildFiles, builtInstallers } from '@porchlight/contract/installer-build.ts';
import { signDocument } from '@porchlight/definitions/signature.ts';
import type { BuildLock } from './build-lock.ts';
import { installed, installersOf } from './installers.ts';
import { buildProgram, type Program } from './programs.ts';
import { releaseKeyFor } from './release-key.ts';
import type { Target } from './targets.ts';
import { makeUpdate } from './update.ts';
import { signerOf, unsigned, type WindowsSigning } from './windows/sign.ts';
import { writeAtomically } from './write-file.ts';

export interface BuildPlan {
  targets: Target[];
  version: string;
  /** What the installers have of the server. */
  server: ServerKeys;
  /** The file of the release key. */
  keyPath: string;
  cache: string;
  out: string;
  /** Null: nothing is signed for Windows. */
  signing: WindowsSigning | null;
  /** What the signature depends on, as the server compares it. */
  signedWith: string | null;
}

export interface Built {
  /** The sizes in bytes, by path below the folder. */
  sizes: Map<string, number>;
  installers: string[];
  madeReleaseKey: boolean;
}

/**
 * Builds the installers and the update, and writes them only when all are built. A build that ends in the middle leaves each file whole, old or
 * new, and `built.json` says that there is more to do.
 */
export async function buildInstallers(plan: BuildPlan, lock: BuildLock, report: (line: string) => void): Promise<Built> {
  const { targets, version, server, cache, out, signing } = plan;
  await removeLeftovers(out, cache);
  const { key, isNew: madeReleaseKey } = await releaseKeyFor(out, plan.keyPath);
  const operator = Buffer.from(JSON.stringify(signDocument(server, key)));
  const step = stepsOf(targets, lock);
  const sign = signing ? signerOf(signing) : unsigned;

  const programs: Program[] = [];
  const files = new Map<string, Buffer>();
  for (const target of targets) {
    report(`Building the agent for ${target}.`);
    await step(platformOf(target));
    const program = await buildProgram({ target, version, key: key.public_key, former: key.former, cache, sign });
    programs.push(program);
    for (const [name, content] of Object.entries(installed(program, operator))) files.set(`programs/${target}/${name}`, content);
  }
  const installers = await inWorkFolder(cache, (work) =>
    installersOf({ programs, version, operator, server: server.public_url, work, signing, beginning: step }),
  );
  for (const [name, content] of installers) files.set(name, content);
  await step(null);
  const update = makeUpdate(programs, version, key, new Date());
  for (const [sha256, content] of update.files) files.set(`update/${sha256}.gz`, content);
  // The manifest is the last, so that the files it names exist.
  files.set('update/manifest.json', Buffer.from(JSON.stringify(update.manifest)));

  await writeAll(out, files, {
    version,
    public_url: server.public_url,
    root_key: server.keys.definitions,
    installers: [...installers.keys()],
    needs_makensis: targets.includes('win-x64') && !installers.has('porchlight.exe'),
    signed_with: plan.signedWith,
    complete: true,
  });
  const sizes = new Map([...files].map(([path, { length }]) => [path, length]));
  return { sizes, installers: [...installers.keys()], madeReleaseKey };
}

const platforms = { win: 'windows', darwin: 'macos', linux: 'linux' } as const;
const platformOf = (target: Target): InstallerPlatform => platforms[target.split('-')[0] as keyof typeof platforms];

/** Returns a function that reports the beginning of the next step: one for each agent, one for each installer, and one for the update. */
function stepsOf(targets: Target[], lock: BuildLock): (platform: InstallerPlatform | null) => Promise<void> {
  const steps = targets.length + new Set(targets.map(platformOf)).size + 1;
  let step = 0;
  return (platform) => {
    step++;
    return lock.progress({ step, steps, platform });
  };
}

async function inWorkFolder<T>(cache: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'work-'));
  return work(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

async function writeAll(out: string, files: Map<string, Buffer>, built: BuiltInstallers): Promise<void> {
  const builtPath = join(out, buildFiles.built);
  // From here on the files are those of two builds, until the last one is written.
  await writeAtomically(builtPath, JSON.stringify({ ...((await earlierBuild(builtPath)) ?? built), complete: false }));
  for (const [path, content] of files) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    // The write is atomic, because the server may be sending the old file at this moment.
    await writeAtomically(join(out, path), content);
  }
  const sums = [...files].map(([path, content]) => `${createHash('sha256').update(content).digest('hex')}  ${path}\n`);
  await writeFile(join(out, 'SHA256SUMS'), sums.join(''));
  await writeAtomically(builtPath, JSON.stringify(built));
  // The files of the earlier update, which agents may fetch until the new manifest is there.
  for (const name of await readdir(join(out, 'update'))) if (!files.has(`update/${name}`)) await rm(join(out, 'update', name));
}

async function earlierBuild(path: string): Promise<BuiltInstallers | null> {
  try {
    return builtInstallers.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

const day_ms = 24 * 3_600_000;

/** Removes what builds that were ended left behind. Other builds may use the same cache at this moment, so there only old folders go. */
async function removeLeftovers(out: string, cache: string): Promise<void> {
  const temporary = /\.[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/;
  for (const name of await namesIn(out, true)) if (temporary.test(name)) await rm(join(out, name), { force: true });
  for (const name of (await namesIn(cache)).filter((entry) => /^(work|fetching)-/.test(entry))) {
    const { mtimeMs } = await stat(join(cache, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > day_ms) await rm(join(cache, name), { recursive: true, force: true });
  }
}

const namesIn = (folder: string, recursive = false): Promise<string[]> => readdir(folder, { recursive }).catch(() => []);
