import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, type LockedPackage, licenseOf, productionPackages } from './release/bom.ts';
import { ignoredBy } from './release/operator-files.ts';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** docs/dependencies.md, package.json and package-lock.json agree. Nothing is fetched. */

interface Locked extends LockedPackage {
  resolved?: string;
  deprecated?: string;
  hasInstallScript?: boolean;
}
interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/dependencies.md');
const lock = JSON.parse(read('package-lock.json')) as Lock;
const packages = Object.entries(lock.packages as Record<string, Locked>).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? '';

/** The rows of a table of the page, by the heading above it; `''`: the first one. */
function rowsBelow(heading: string): string[][] {
  const part = heading === '' ? page : (page.split(`## ${heading}\n`)[1] ?? '');
  const lines = (part.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** What runs in production; the root's packages are the Node for each system. */
const shipped = ['contract', 'definitions', 'server', 'simulators', 'dashboard', 'agent', 'packaging'];
const manifestOf = (workspace: string) => JSON.parse(read(join(workspace, 'package.json'))) as Manifest;

test('the page of dependencies names every direct one of production with its version, its license and who uses it, and no other', () => {
  const direct = new Map<string, { version: string; users: string[] }>();
  for (const workspace of ['.', ...shipped]) {
    const { dependencies, optionalDependencies } = manifestOf(workspace);
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      if (name.startsWith('@porchlight/')) continue;
      const users = [...(direct.get(name)?.users ?? []), workspace === '.' ? 'all' : workspace];
      direct.set(name, { version, users });
    }
  }
  const expected = [...direct].map(([name, { version, users }]) => {
    const path = `node_modules/${name}`;
    return [name, version, licenseOf(path, lock.packages[path] ?? {}), users.join(', ')];
  });
  const rows = rowsBelow('');
  expect(rows.map((row) => row.slice(0, 4))).toEqual(expected.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)));
  expect(rows.filter(([, , , , purpose = '']) => purpose.length < 10)).toEqual([]);
});

test('every package that somebody names has one exact version, in production and in development', () => {
  const loose = ['.', ...shipped, 'dev', 'e2e', 'bench'].flatMap((workspace) => {
    const { dependencies, devDependencies, optionalDependencies } = manifestOf(workspace);
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    return all
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${workspace}: ${name} ${version}`);
  });
  expect(loose).toEqual([]);
});

test('every package of production has a license that the page allows', () => {
  const line = /^Allowed: (.*)$/m.exec(page)?.[1] ?? '';
  const allowed = [...line.matchAll(/`([^`]+)`/g)].map(([, license = '']) => license);
  expect(allowed.length).toBeGreaterThan(3);
  const others = productionPackages(lock).filter(([path, found]) => !allowed.includes(licenseOf(path, found)));
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  const used = new Set(productionPackages(lock).map(([path, found]) => licenseOf(path, found)));
  expect(allowed.filter((license) => !used.has(license))).toEqual([]);
});

test('only the packages that the page gives a reason for have an install script', () => {
  const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
  const rows = rowsBelow('Install scripts');
  expect([...new Set(withScript)].toSorted()).toEqual(rows.map(([name]) => name).toSorted());
  expect(rows.filter((row) => row.length !== 3 || row.some((cell) => cell.length < 5))).toEqual([]);
});

test('no step of the repository lets packages run scripts while they are installed', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
  // The container and the archive for operators have the file, which npm reads in the folder that it runs in.
  expect(ignoredBy(read('.dockerignore'))('.npmrc')).toBe(false);
  const steps = [
    ...filesBelow('docs', /\.md$/),
    ...filesBelow('packaging', /\.(sh|service|timer|yaml)$|Dockerfile$/),
    ...filesBelow('dev', /(?<!\.test)\.(ts|mjs)$/),
    ...filesBelow('packaging', /(?<!\.test)\.ts$/),
    ...['README.md', 'CONTRIBUTING.md', 'package.json', '.github/workflows/ci.yml', '.ci/run'],
  ];
  const changing = /ignore[-_]scripts(=|['": ]+)false|--no-ignore-scripts|npm (rebuild|explore)|npm_config_userconfig/i;
  expect(steps.filter((file) => changing.test(read(file)))).toEqual([]);
  const commands = steps.flatMap((file) =>
    [...read(file).matchAll(/\bnpm (?:ci|install|i)\b(?! stood)[^\n`'"&]*/g)].map(([command]) => command),
  );
  expect(commands).toContain('npm ci --omit=dev');
  expect(commands.filter((command) => /--prefix|-C /.test(command))).toEqual([]);
});

test('no package is deprecated, comes from another address than the registry, or has no SHA-512 hash', () => {
  expect(packages.length).toBeGreaterThan(300);
  const wrong = packages.filter(
    ([, { deprecated, resolved, integrity = '' }]) => deprecated || resolved !== undefined || !/^sha512-[\w+/]{86}==$/.test(integrity),
  );
  expect(wrong.map(([path, { deprecated, resolved }]) => `${path}: ${deprecated ?? resolved ?? 'no hash'}`)).toEqual([]);
});

test('the packages of production in two versions are those that the page gives a reason for', () => {
  const versions = Map.groupBy(productionPackages(lock), ([path]) => nameOf(path));
  const doubled = [...versions].filter(([, found]) => new Set(found.map(([, { version }]) => version)).size > 1).map(([name]) => name);
  expect(doubled.toSorted()).toEqual(rowsBelow('Two versions of one package').map(([name]) => name));
});
