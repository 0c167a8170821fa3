import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildSmall, signingKey, smallRepository, temporaryFolder } from './fixture.ts';
import { git } from './git.ts';
import { type ReleasePlan, release } from './release.ts';

const now = new Date('2026-11-26T12:00:00Z');

function planOf(folder: string, change: Partial<ReleasePlan> = {}): { plan: ReleasePlan; reported: string[] } {
  const reported: string[] = [];
  const out = join(folder, 'dist/release/1.1.0');
  const usual = { folder, version: '1.1.0', out, key: null, dryRun: false, now, build: buildSmall };
  return { plan: { ...usual, report: (line) => reported.push(line), ...change }, reported };
}
const sentence = (change: Partial<ReleasePlan>, folder: string) =>
  release(planOf(folder, change).plan).then(
    () => 'released',
    (err: Error) => err.message,
  );
const state = (folder: string) => [git(folder, ['rev-parse', 'HEAD']), git(folder, ['tag']), git(folder, ['status', '--porcelain'])];
const namesIn = (archive: string) => execFileSync('tar', ['tzf', archive], { encoding: 'utf8' }).trim().split('\n');

test('a release moves what was unreleased, sets one version everywhere, commits, tags, and writes signed files', async () => {
  const folder = smallRepository();
  const { key, signers } = signingKey();
  const { plan, reported } = planOf(folder, { key });
  await release(plan);
  expect(git(folder, ['log', '--format=%s'])).toBe('release 1.1.0\nfirst');
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(
    '# Changes\n\n## Unreleased\n\n## 1.1.0 – 2026-11-26\n\n- One thing.\n- Another thing.\n',
  );
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  expect([lock.version, lock.packages[''].version, lock.packages.contract.version, lock.packages['node_modules/zod'].version]).toEqual([
    ...['1.1.0', '1.1.0', '1.1.0'],
    '4.6.7',
  ]);
  for (const { version, dependencies } of [lock.packages.server, JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8'))])
    expect([version, dependencies]).toEqual(['1.1.0', { '@porchlight/contract': '1.1.0', zod: '4.6.7' }]);
  expect(git(folder, ['cat-file', '-t', 'v1.1.0'])).toBe('tag');
  expect(git(folder, ['tag', '--list', '--format=%(contents)', 'v1.1.0'])).toBe('Porchlight 1.1.0\n\n- One thing.\n- Another thing.');
  expect(reported).toContain('v1.1.0 is tagged. The tag is not signed, because git has no user.signingkey.');
  expect(git(folder, ['status', '--porcelain'])).toBe('');

  const files = ['SHA256SUMS', 'SHA256SUMS.sig', 'porchlight-1.1.0-source.tar.gz', 'porchlight-1.1.0.cdx.json', 'porchlight-1.1.0.tar.gz'];
  expect(readdirSync(plan.out).toSorted()).toEqual(files);
  expect(spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: plan.out }).status).toBe(0);
  const verify = (sums: string) => {
    const args = ['-Y', 'verify', '-f', signers, '-I', 'releases', '-n', 'porchlight-release', '-s', join(plan.out, 'SHA256SUMS.sig')];
    return spawnSync('ssh-keygen', args, { input: sums }).status;
  };
  const sums = readFileSync(join(plan.out, 'SHA256SUMS'), 'utf8');
  expect([verify(sums), verify(sums.replace('1.1.0', '1.1.1'))]).toEqual([0, 255]);
  expect(reported.slice(-3).join('\n')).toContain('  git push --follow-tags\n');
  expect(reported.join('\n')).toContain('gh release create v1.1.0 --verify-tag');
});

test('a branch with the name of the tag is refused, because it would be built in place of what was tagged', async () => {
  const folder = smallRepository();
  await release(planOf(folder).plan);
  git(folder, ['branch', 'v1.1.0', 'HEAD~1']);
  expect(await sentence({}, folder)).toBe('There is a branch called v1.1.0 beside the tag. Rename it, and run the same command again.');
  git(folder, ['branch', '--move', 'v1.1.0', 'other']);
  expect(await sentence({}, folder)).toBe('released');
});

test('the archive for operators has the built dashboard, no tests, and what may be executed; that of the sources has all that is committed', async () => {
  const folder = smallRepository();
  const { plan } = planOf(folder);
  await release(plan);
  const archive = join(plan.out, 'porchlight-1.1.0.tar.gz');
  const names = namesIn(archive).map((name) => name.replace('./porchlight-1.1.0/', ''));
  expect(names).toEqual(expect.arrayContaining(['dashboard/dist/index.html', 'dashboard/dist/assets/main.js', 'server/main.ts']));
  expect(names.filter((name) => name.includes('.test.'))).toEqual([]);
  const sources = namesIn(join(plan.out, 'porchlight-1.1.0-source.tar.gz')).filter((name) => !name.endsWith('/'));
  expect(sources.map((name) => name.replace('porchlight-1.1.0/', '')).toSorted()).toEqual(git(folder, ['ls-files']).split('\n').toSorted());
  const unpacked = temporaryFolder();
  execFileSync('tar', ['xzf', archive, '-C', unpacked]);
  expect(spawnSync(join(unpacked, 'porchlight-1.1.0/packaging/run.sh')).status).toBe(0);
  expect(execFileSync('tar', ['tvzf', archive], { encoding: 'utf8' })).toMatch(/^-rwxr-xr-x root\/root .*run\.sh$/m);
});

test('two builds of the same tag, in other folders, at other times and with other rights of files, have the same checksums', async () => {
  const folder = smallRepository();
  const { plan } = planOf(folder);
  await release(plan);
  const sums = readFileSync(join(plan.out, 'SHA256SUMS'), 'utf8');
  const copy = join(temporaryFolder(), 'copy');
  execFileSync('git', ['clone', '--quiet', folder, copy], { stdio: 'pipe' });
  const before = process.umask(0o077);
  try {
    const again = planOf(copy, { now: new Date('2027-01-01T00:00:00Z'), out: join(temporaryFolder(), 'out') });
    await release(again.plan);
    expect(readFileSync(join(again.plan.out, 'SHA256SUMS'), 'utf8')).toBe(sums);
    expect(again.reported).toContain('v1.1.0 is tagged already, so its files are built again.');
  } finally {
    process.umask(before);
  }
});

test('a release that cannot be made is refused in words, and changes nothing', async () => {
  const folder = smallRepository();
  git(folder, ['tag', 'v1.2.0']);
  git(folder, ['commit', '--quiet', '--allow-empty', '--message', 'second']);
  const before = state(folder);
  const refusals: [Partial<ReleasePlan>, RegExp][] = [
    [{ version: '1.2' }, /^1\.2 is no version\. It takes three numbers/],
    [{ version: 'v1.3.0' }, /^v1\.3\.0 is no version\./],
    [
      { version: '1.2.0' },
      /^The tag v1\.2\.0 exists already\. Name a higher version, or build the files of v1\.2\.0 again: git checkout v1\.2\.0\.$/,
    ],
    [{ version: '1.1.9' }, /^1\.1\.9 is not higher than 1\.2\.0, which is released already\.$/],
    [{ version: '1.3.0', key: '' }, /^RELEASE_SIGNING_KEY is missing: .* or release with --unsigned\.$/],
    [{ version: '1.3.0', key: '/nonexistent/key' }, /^RELEASE_SIGNING_KEY is \/nonexistent\/key, and there is no such file\.$/],
    [{ version: '1.3.0', key: signingKey('ecdsa').key }, /is no Ed25519 key\. Make one with ssh-keygen -t ed25519\.$/],
  ];
  for (const [change, expected] of refusals) expect(await sentence(change, folder)).toMatch(expected);
  expect(state(folder)).toEqual(before);
  expect(await sentence({ version: '0.9.0' }, smallRepository())).toBe('0.9.0 is lower than 1.0.0, which package.json has.');
});

test('changes that are not committed, and an empty list of changes, refuse a release', async () => {
  const folder = smallRepository();
  writeFileSync(join(folder, 'new file.ts'), '');
  writeFileSync(join(folder, 'CHANGELOG.md'), 'changed');
  expect(await sentence({}, folder)).toMatch(
    /^A release is made of what is committed, and these are not: CHANGELOG\.md, new file\.ts\. Commit them/,
  );
  const empty = smallRepository({ 'CHANGELOG.md': '# Changes\n\n## Unreleased\n\n## 1.0.0 – 2026-01-01\n\n- One thing.\n' });
  expect(await sentence({}, empty)).toMatch(/^CHANGELOG\.md has nothing under "## Unreleased"\./);
  for (const one of [folder, empty]) expect(git(one, ['log', '--format=%s'])).toBe('first');
});

test('the version that package.json has is free before the first release, and not after it', async () => {
  const folder = smallRepository();
  expect(await sentence({ version: '1.0.0' }, folder)).toBe('released');
  git(folder, ['tag', '--delete', 'v1.0.0']);
  git(folder, ['commit', '--quiet', '--allow-empty', '--message', 'later']);
  expect(await sentence({ version: '1.0.0' }, folder)).toBe('1.0.0 is not higher than 1.0.0, which is released already.');
});

test('a trial says what a release would do, and does nothing', async () => {
  const folder = smallRepository();
  const before = state(folder);
  const { plan, reported } = planOf(folder, { dryRun: true });
  await release(plan);
  expect(reported[0]).toBe(
    'Would change and commit as "release 1.1.0": CHANGELOG.md, package.json, contract/package.json, server/package.json, package-lock.json',
  );
  expect(reported[1]).toMatch(/^Would tag v1\.1\.0, and write its files to .*, without a signature\.$/);
  expect(state(folder)).toEqual(before);
  expect(existsSync(plan.out)).toBe(false);
});

test('a release that was interrupted after any of its steps goes on with the same command, and makes one commit and one tag', async () => {
  const folder = smallRepository();
  const { plan, reported } = planOf(folder);
  // After the files were changed, before the commit.
  const hook = join(folder, '.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n');
  chmodSync(hook, 0o755);
  await expect(release(plan)).rejects.toThrow('git commit did not work');
  expect(git(folder, ['status', '--porcelain'])).not.toBe('');
  rmSync(hook);
  // After the tag, before the files.
  const failing = async () => {
    throw new Error('interrupted');
  };
  await expect(release({ ...plan, build: failing })).rejects.toThrow('interrupted');
  expect(existsSync(plan.out)).toBe(false);
  const [head, tag] = [git(folder, ['rev-parse', 'HEAD']), git(folder, ['rev-parse', 'v1.1.0'])];
  // After the commit, before the tag.
  git(folder, ['tag', '--delete', 'v1.1.0']);
  await release(plan);
  expect(reported).toContain('release 1.1.0 is committed already.');
  await release(plan);
  expect(git(folder, ['rev-parse', 'HEAD'])).toBe(head);
  expect([git(folder, ['tag']), git(folder, ['cat-file', '-t', 'v1.1.0']), tag === head]).toEqual(['v1.1.0', 'tag', false]);
  expect(git(folder, ['log', '--format=%s'])).toBe('release 1.1.0\nfirst');
  expect(readdirSync(join(plan.out, '..'))).toEqual(['1.1.0']);
});

test('a release that is killed while it builds goes on with the same command', async () => {
  const folder = smallRepository();
  const { plan } = planOf(folder);
  const source = `import { release } from ${JSON.stringify(new URL('./release.ts', import.meta.url).href)};
    const build = async () => process.kill(process.pid, 'SIGKILL');
    await release({ ...${JSON.stringify(plan)}, now: new Date(${now.getTime()}), build, report() {} });`;
  const killed = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', source], {
    // The clone that it leaves behind.
    env: { ...process.env, TMPDIR: temporaryFolder() },
  });
  expect([killed.signal, git(folder, ['tag']), existsSync(plan.out)]).toEqual(['SIGKILL', 'v1.1.0', false]);
  await release(plan);
  expect(readdirSync(plan.out)).toHaveLength(4);
  expect(git(folder, ['log', '--format=%s'])).toBe('release 1.1.0\nfirst');
});

test('what an interrupted release left is not committed when something else was changed in the same file', async () => {
  const folder = smallRepository();
  const hook = join(folder, '.git/hooks/pre-commit');
  writeFileSync(hook, '#!/bin/sh\nexit 1\n');
  chmodSync(hook, 0o755);
  await sentence({}, folder);
  rmSync(hook);
  writeFileSync(join(folder, 'CHANGELOG.md'), `${readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')}- A third thing.\n`);
  expect(await sentence({}, folder)).toMatch(/these are not: CHANGELOG\.md\. .* git restore --staged --worktree \.$/);
  expect(git(folder, ['log', '--format=%s'])).toBe('first');
});
