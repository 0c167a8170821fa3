// Tier: whole. It installs packages.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from './imports.ts';
import { root } from './root.ts';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const readJson = <T>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
const { packages } = readJson<{ packages: Record<string, { dev?: boolean; resolved?: string; link?: boolean }> }>('package-lock.json');

/** What runs where `npm ci --omit=dev` ran; the agent's start and the self-check are bundled. */
const entries = [
  'server/main.ts',
  'server/cli/main.ts',
  'definitions/cli/main.ts',
  'dev/serve.ts',
  'packaging/build.ts',
  'packaging/self-check/main.ts',
  'agent/lifecycle/start.ts',
];
/** Packages that are found by their path, without an import. */
const foundByPath = [
  ['packaging/executable.ts', 'postject'],
  ['packaging/bundle.ts', 'koffi'],
] as const;

/** Each package with the files that import it at run time. Throws for an import of a file that does not exist. */
function importedBy(entry: string) {
  const [files, importers] = [new Set<string>(), new Map<string, Set<string>>()];
  const visit = (file: string) => {
    if (files.has(file) || !/\.[cm]?[jt]sx?$/.test(file)) return;
    if (!existsSync(join(root, file))) throw new Error(`${file} is imported and does not exist`);
    files.add(file);
    for (const { to, types_only } of importsOf(file, readFileSync(join(root, file), 'utf8'))) {
      if (types_only || to.startsWith('node:')) continue;
      if (!to.startsWith('npm:')) visit(to);
      else importers.set(to.slice(4), (importers.get(to.slice(4)) ?? new Set()).add(file));
    }
  };
  visit(entry);
  return { files, importers };
}

test.each(entries)('%s and all that it imports run with the packages of production', (entry) => {
  const { files, importers } = importedBy(entry);
  expect(files.size).toBeGreaterThan(1);
  const missing = [...importers].flatMap(([name, importingFiles]) => {
    const locked = packages[`node_modules/${name}`];
    if (!locked) return [`${name} is not in package-lock.json`];
    if (locked.dev) return [`${name} is a package of development in package-lock.json`];
    return [...importingFiles].flatMap((file) => {
      const { dependencies, optionalDependencies } = readJson<Manifest>(`${file.split('/')[0]}/package.json`);
      return name in { ...dependencies, ...optionalDependencies } ? [] : [`${file} imports ${name}, which is not in its dependencies`];
    });
  });
  expect(missing).toEqual([]);
});

test.each(foundByPath)('%s finds the package %s in production too', (file, name) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(`resolve('${name}')`);
  expect(packages[`node_modules/${name}`]?.dev).toBeUndefined();
});

test('package-lock.json has no addresses of a registry', () => {
  const addresses = Object.entries(packages).filter(([, { resolved, link }]) => resolved && !link);
  expect(addresses).toEqual([]);
});
