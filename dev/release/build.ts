import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tar } from '@porchlight/packaging/linux/tar.ts';
import { bomOf, type Lock } from './bom.ts';
import { tagOf } from './checks.ts';
import { git, gitBytes } from './git.ts';
import { operatorFiles } from './operator-files.ts';
import { Refused } from './refused.ts';

/** Builds the dashboard in a checkout. */
export type BuildCheckout = (checkout: string) => Promise<void>;

/** The command of the checkout itself, which installs the packages of its lock file first. */
export const buildDashboardOf: BuildCheckout = async (checkout) => {
  try {
    execFileSync('npm', ['run', 'build'], { cwd: checkout, stdio: 'inherit', shell: process.platform === 'win32' });
  } catch {
    throw new Refused('The dashboard of the release was not built; the reason is above. Run the same command again: what is tagged stays.');
  }
};

/**
 * Builds the files of a tag from a clone that has nothing but what is committed. The same tag gives the same bytes: all times are that of the commit,
 * all owners are root, and the order is that of the names.
 */
export async function buildRelease(given: { folder: string; version: string; build: BuildCheckout }): Promise<Map<string, Buffer>> {
  const { folder, version, build } = given;
  const work = await mkdtemp(join(tmpdir(), 'porchlight-release-'));
  try {
    const checkout = join(work, 'checkout');
    git(folder, ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--shared', '--branch', tagOf(version), folder, checkout]);
    // A branch of the same name would be checked out instead.
    if (git(checkout, ['rev-parse', 'HEAD']) !== git(folder, ['rev-parse', `refs/tags/${tagOf(version)}^{commit}`])) {
      throw new Refused(`There is a branch called ${tagOf(version)} beside the tag. Rename it, and run the same command again.`);
    }
    const seconds = Number(git(checkout, ['log', '-1', '--format=%ct']));
    const name = `porchlight-${version}`;
    const archiveArgs = ['-c', 'tar.umask=0022', 'archive', '--format=tar', `--prefix=${name}/`, 'HEAD'];
    const source = gitBytes(checkout, archiveArgs);
    await build(checkout);
    const changed = git(checkout, ['status', '--porcelain', '--untracked-files=no']);
    if (changed) throw new Refused(`The build has changed files of the tag, so the archive would not be what was tagged: ${changed}`);
    const entries = (await operatorFiles(checkout)).map((entry) => ({ ...entry, path: `${name}/${entry.path}` }));
    const lock = JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8')) as Lock;
    const bom = bomOf(lock, git(checkout, ['rev-parse', 'HEAD']), new Date(seconds * 1000));
    return new Map([
      [`${name}.cdx.json`, Buffer.from(`${JSON.stringify(bom, null, 2)}\n`)],
      [`${name}.tar.gz`, packed(tar(entries, seconds))],
      [`${name}-source.tar.gz`, packed(source)],
    ]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function packed(archive: Buffer): Buffer {
  const gzipped = gzipSync(archive, { level: 9 });
  // A fixed operating system in the gzip header, which otherwise names this one.
  gzipped[9] = 3;
  return gzipped;
}
