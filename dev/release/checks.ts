import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionsIn } from './changelog.ts';
import { git, gitOrNull } from './git.ts';
import { Refused } from './refused.ts';
import { compareVersions, requireVersion } from './version.ts';

export const tagOf = (version: string) => `v${version}`;
export const subjectOf = (version: string) => `release ${version}`;

/** How far a release is: an interrupted one may have its commit already, or its tag too. */
export function progressOf(folder: string, version: string): 'new' | 'committed' | 'tagged' {
  requireVersion(version);
  const tag = tagOf(version);
  const head = git(folder, ['rev-parse', 'HEAD']);
  const tagged = gitOrNull(folder, ['rev-parse', '--quiet', '--verify', `refs/tags/${tag}^{commit}`]);
  if (tagged === head) return 'tagged';
  if (tagged)
    throw new Refused(`The tag ${tag} exists already. Name a higher version, or build the files of ${tag} again: git checkout ${tag}.`);
  const isCommitted = git(folder, ['log', '-1', '--format=%s']) === subjectOf(version) && committedVersion(folder) === version;
  return isCommitted ? 'committed' : 'new';
}

const committedVersion = (folder: string) => (JSON.parse(git(folder, ['show', 'HEAD:package.json'])) as { version: string }).version;

export function requireHigher(folder: string, version: string): void {
  const current = committedVersion(folder);
  const tags = git(folder, ['tag', '--list', 'v*']).split('\n');
  const released = [...versionsIn(git(folder, ['show', 'HEAD:CHANGELOG.md'])).map((one) => one.version), ...tags.map((tag) => tag.slice(1))]
    .filter((one) => /^\d+\.\d+\.\d+$/.test(one))
    .toSorted(compareVersions);
  const last = released.at(-1);
  if (last && compareVersions(version, last) <= 0) throw new Refused(`${version} is not higher than ${last}, which is released already.`);
  // Before the first release, the version that package.json has is free.
  if (compareVersions(version, current) < 0) throw new Refused(`${version} is lower than ${current}, which package.json has.`);
}

/** Refuses changes that are not committed. `edits`: those of this release, which an interruption may have left. */
export function requireClean(folder: string, edits = new Map<string, string>()): void {
  const changed = git(folder, ['status', '--porcelain', '--untracked-files=all', '-z']).split('\0').filter(Boolean);
  const foreign = changed.filter((line) => {
    const path = line.slice(3);
    return !edits.has(path) || readFileSync(join(folder, path), 'utf8') !== edits.get(path);
  });
  if (foreign.length === 0) return;
  const paths = foreign.map((line) => line.slice(3));
  throw new Refused(
    `A release is made of what is committed, and these are not: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ', …' : ''}. Commit them, or put them away: git stash -u. What a release of an earlier day left when it was interrupted: git restore --staged --worktree .`,
  );
}
