import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FirstLoad, Manifest } from './first-loads.ts';
import { firstLoads } from './first-loads.ts';
import { root } from './root.ts';

/** By built file: its modules and their bytes before minification. */
type ModuleSizes = Record<string, Record<string, number>>;

export interface Build {
  manifest: Manifest;
  modules: ModuleSizes;
}

interface Weighed {
  name: string;
  passed: boolean;
  size: number;
  sizeLimit: number;
}

const maxFiles = 10;

/** Lists each page load over its limit, with the files that grew most since `before`; without `before`, with its largest files. */
export function explainWeights(weighed: Weighed[], currentBuild: Build, mainBuild: Build | null): string[] {
  return weighed
    .filter(({ passed }) => !passed)
    .flatMap(({ name, size, sizeLimit }) => {
      const sizesNow = sizesOf(name, currentBuild);
      const sizesBefore = mainBuild ? sizesOf(name, mainBuild) : new Map<string, number>();
      const grownFiles = [...sizesNow]
        .map(([file, bytes]) => ({ file, bytes: bytes - (sizesBefore.get(file) ?? 0), isNew: !sizesBefore.has(file) }))
        .filter(({ bytes }) => bytes > 0)
        .sort((a, b) => b.bytes - a.bytes);
      return [
        `${name} weighs ${inKb(size)} of ${inKb(sizeLimit)}. ${mainBuild ? 'Grown since main' : 'Its largest files'}, before minification:`,
        ...grownFiles.slice(0, maxFiles).map(({ file, bytes, isNew }) => `  +${inKb(bytes)} ${file}${mainBuild && isNew ? ' (new)' : ''}`),
        ...(grownFiles.length ? [] : ['  nothing: a package or the build itself changed']),
      ];
    });
}

const inKb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

function sizesOf(name: string, { manifest, modules }: Build): Map<string, number> {
  const load: FirstLoad | undefined = firstLoads(manifest).find((one) => one.name === name);
  return new Map((load?.path ?? []).flatMap((path) => Object.entries(modules[path.replace('dashboard/dist/', '')] ?? {})));
}

export function readBuild(folder: string): Build | null {
  const file = (name: string) => join(folder, 'dashboard', 'dist', '.vite', name);
  if (!existsSync(file('modules.json'))) return null;
  const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8'));
  return { manifest: read('manifest.json') as Manifest, modules: read('modules.json') as ModuleSizes };
}

/** Builds the dashboard of `main` with the installed packages. Null without `main`, or if its build lists no modules. */
export function buildMain(): Build | null {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-main-'));
  try {
    const base = execFileSync('git', ['merge-base', 'HEAD', 'main'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
    const archive = execFileSync('git', ['archive', base, 'dashboard', 'contract', 'package.json', 'tsconfig.base.json'], {
      cwd: root,
      maxBuffer: 1 << 28,
    });
    execFileSync('tar', ['x', '-C', folder], { input: archive });
    linkPackages(folder);
    execFileSync(process.execPath, [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build'], {
      cwd: join(folder, 'dashboard'),
      stdio: 'pipe',
    });
    const mainBuild = readBuild(folder);
    // Throws when the pages of `main` differ from those with limits.
    if (mainBuild) firstLoads(mainBuild.manifest);
    return mainBuild;
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules', '@porchlight'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@porchlight') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(join(folder, 'contract'), join(folder, 'node_modules', '@porchlight', 'contract'));
}
