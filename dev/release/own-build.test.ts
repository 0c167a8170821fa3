import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext, test, vi } from 'vitest';
import { root } from '../root.ts';
import { buildRelease } from './build.ts';
import { temporaryFolder } from './fixture.ts';
import { git, gitOrNull } from './git.ts';

/** The real dashboard is built with the packages of this checkout, because tests fetch nothing. */
async function buildWithOwnPackages(checkout: string): Promise<void> {
  const modules = join(checkout, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@porchlight') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  cpSync(join(root, 'node_modules/@porchlight'), join(modules, '@porchlight'), { recursive: true, verbatimSymlinks: true });
  execFileSync(process.execPath, ['dev/build.ts'], { cwd: checkout, stdio: 'pipe' });
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

test('this repository gives the same files twice, in whatever NODE_ENV, and its archive for operators has all that the server starts with', async (context: TestContext) => {
  if (gitOrNull(root, ['rev-parse', 'HEAD']) === null) return context.skip('This is no checkout of git.');
  const folder = join(temporaryFolder(), 'repository');
  git(root, ['clone', '--quiet', '--shared', root, folder]);
  git(folder, ['tag', 'v9.9.9']);
  const build = () => buildRelease({ folder, version: '9.9.9', build: buildWithOwnPackages });
  // That of the tests, and the usual one.
  const one = await build();
  vi.stubEnv('NODE_ENV', undefined);
  const other = await build().finally(() => vi.unstubAllEnvs());
  expect([...other].map(([name, content]) => [name, hashOf(content)])).toEqual([...one].map(([name, content]) => [name, hashOf(content)]));

  const [unpacked, archive] = [temporaryFolder(), join(temporaryFolder(), 'archive.tar.gz')];
  writeFileSync(archive, one.get('porchlight-9.9.9.tar.gz') ?? '');
  execFileSync('tar', ['xzf', archive, '-C', unpacked]);
  const server = join(unpacked, 'porchlight-9.9.9');
  const names = readdirSync(server, { recursive: true }).map(String);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['dashboard/dist/index.html', 'packaging/server/porchlight.service', 'packaging/container/compose.yaml', 'package-lock.json'],
      ...['server/main.ts', 'packaging/build.ts', 'agent/main.ts', 'docs/operating/README.md', 'LICENSE', 'CHANGELOG.md', '.npmrc'],
    ]),
  );
  expect(names.filter((name) => /\.test\.tsx?$|(^|\/)node_modules|^\.git$/.test(name))).toEqual([]);
  const help = spawnSync(process.execPath, ['dev/serve.mjs', '--help'], { cwd: server, encoding: 'utf8' });
  expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('npm run serve')]);
});
