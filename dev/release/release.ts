import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { type BuildCheckout, buildRelease } from './build.ts';
import { changesOf } from './changelog.ts';
import { progressOf, requireClean, requireHigher, subjectOf, tagOf } from './checks.ts';
import { releaseEdits } from './edits.ts';
import { git, gitOrNull } from './git.ts';
import { requireKey, signatureName, signFile, sumsName } from './signature.ts';

export interface ReleasePlan {
  /** The repository. */
  folder: string;
  version: string;
  /** The folder of the files, which is replaced as a whole. */
  out: string;
  /** The file of the key that signs the checksums; null: they are not signed. */
  key: string | null;
  dryRun: boolean;
  now: Date;
  build: BuildCheckout;
  report(line: string): void;
}

/** Each step begins with what the one before left behind, so a release that was interrupted goes on with the same command. */
export async function release(plan: ReleasePlan): Promise<void> {
  const { folder, version, out, key, dryRun, build, report } = plan;
  const progress = progressOf(folder, version);
  requireKey(key);
  if (progress === 'new') requireHigher(folder, version);
  const edits = progress === 'new' ? releaseEdits(folder, version, plan.now.toISOString().slice(0, 10)) : new Map<string, string>();
  requireClean(folder, edits);
  if (dryRun) return reportPlan(plan, [...edits.keys()]);

  if (progress === 'new') commit(folder, version, edits);
  else report(`${subjectOf(version)} is committed already.`);
  if (progress === 'tagged') report(`${tagOf(version)} is tagged already, so its files are built again.`);
  else report(tag(folder, version));
  report(`Building the files of ${tagOf(version)} from a clean checkout.`);
  await writeRelease(out, await buildRelease({ folder, version, build }), key);
  reportNext(plan);
}

/** The files keep their rights, so they are written in place; what an interruption leaves half is seen by the next run. */
function commit(folder: string, version: string, edits: Map<string, string>): void {
  for (const [path, text] of edits) writeFileSync(join(folder, path), text);
  git(folder, ['commit', '--quiet', '--message', subjectOf(version), '--', ...edits.keys()]);
}

/** Returns a sentence about the tag. */
function tag(folder: string, version: string): string {
  const signs = Boolean(gitOrNull(folder, ['config', 'user.signingkey']));
  const changes = changesOf(git(folder, ['show', 'HEAD:CHANGELOG.md']), version);
  const message = `Porchlight ${version}\n\n${changes}\n`;
  git(folder, ['tag', signs ? '--sign' : '--annotate', '--cleanup=verbatim', '--file', '-', tagOf(version)], message);
  return signs
    ? `${tagOf(version)} is tagged, and signed with your key.`
    : `${tagOf(version)} is tagged. The tag is not signed, because git has no user.signingkey.`;
}

/** Writes the files with their checksums into a folder that is there only when all of them are. */
async function writeRelease(out: string, files: Map<string, Buffer>, key: string | null): Promise<void> {
  const part = `${out}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  const sums = [...files].map(([name, content]) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  for (const [name, content] of files) await writeFile(join(part, name), content);
  await writeFile(join(part, sumsName), sums.join(''));
  if (key !== null) signFile(join(part, sumsName), key);
  await rm(out, { recursive: true, force: true });
  await rename(part, out);
}

function reportPlan({ version, out, key, report }: ReleasePlan, edited: string[]): void {
  report(
    edited.length ? `Would change and commit as "${subjectOf(version)}": ${edited.join(', ')}` : `${subjectOf(version)} is committed.`,
  );
  report(`Would tag ${tagOf(version)}, and write its files to ${out}, ${key === null ? 'without a signature' : 'signed'}.`);
}

function reportNext({ folder, version, out, key, report }: ReleasePlan): void {
  const shown = relative(folder, out).startsWith('..') ? out : relative(folder, out);
  report(`\nThe files are in ${shown}. Nothing was pushed or uploaded. Look at them, then:\n`);
  report('  git push --follow-tags');
  report(`  gh release create ${tagOf(version)} --verify-tag --title 'Porchlight ${version}' --notes-from-tag ${join(shown, '*')}`);
  if (key !== null)
    report(`\n${signatureName} is verified with your public key, which ${basename(key)}.pub has: docs/releases.md says how people get it.`);
}
