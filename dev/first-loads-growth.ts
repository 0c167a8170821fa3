import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FirstLoad, Manifest } from './first-loads.ts';
import { firstLoads } from './first-loads.ts';
import { root } from './root.ts';

/** Of each built file, its modules and their bytes before minification. */
type ModuleSizes = Record<string, Record<string, number>>;

/** A build of the dashboard, as far as weights are concerned. */
export interface Build {
  manifest: Manifest;
  modules: ModuleSizes;
}

/** What `size-limit --json` says of one load, in bytes. */
interface Weighed {
  name: string;
  passed: boolean;
  size: number;
  sizeLimit: number;
}

const shown = 10;

/** The loads over their limit, each with the files that grew most since `before`; without that build, with its largest files. */
export function explainWeights(weighed: Weighed[], now: Build, before: Build | null): string[] {
  return weighed
    .filter(({ passed }) => !passed)
    .flatMap(({ name, size, sizeLimit }) => {
      const after = sizesOf(name, now);
      const earlier = before ? sizesOf(name, before) : new Map<string, number>();
      const grown = [...after]
        .map(([file, bytes]) => ({ file, bytes: bytes - (earlier.get(file) ?? 0), isNew: !earlier.has(file) }))
        .filter(({ bytes }) => bytes > 0)
        .sort((a, b) => b.bytes - a.bytes);
      return [
        `${name} weighs ${inKb(size)} of ${inKb(sizeLimit)}. ${before ? 'Grown since main' : 'Its largest files'}, before minification:`,
        ...grown.slice(0, shown).map(({ file, bytes, isNew }) => `  +${inKb(bytes)} ${file}${before && isNew ? ' (new)' : ''}`),
        ...(grown.length ? [] : ['  nothing: a package or the build itself changed']),
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

/** Builds the dashboard of main with the packages installed here. Null when there is no main, or when it cannot say what its files are made of. */
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
    const built = readBuild(folder);
    // Throws when main has other pages than the limits speak of.
    if (built) firstLoads(built.manifest);
    return built;
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The installed packages; those of this repository are the ones of `folder`. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules', '@porchlight'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@porchlight') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(join(folder, 'contract'), join(folder, 'node_modules', '@porchlight', 'contract'));
}
