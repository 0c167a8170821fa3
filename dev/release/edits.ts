import { withVersion } from './changelog.ts';
import { git } from './git.ts';

interface Manifest {
  version?: string;
  workspaces?: string[];
  [section: string]: unknown;
}
interface Lock extends Manifest {
  packages: Record<string, Manifest>;
}

const sections = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** The version of a package and of all that it takes from the other workspaces. */
function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version;
  for (const section of sections) {
    const dependencies = manifest[section] as Record<string, string> | undefined;
    for (const name of Object.keys(dependencies ?? {})) if (dependencies && name.startsWith('@porchlight/')) dependencies[name] = version;
  }
}

function setLockVersion(lock: Lock, version: string): void {
  lock.version = version;
  for (const [path, manifest] of Object.entries(lock.packages)) if (!path.includes('node_modules/')) setVersion(manifest, version);
}

/** The files that a release changes, by path, made of the last commit alone: an interrupted release makes the same ones again. */
export function releaseEdits(folder: string, version: string, date: string): Map<string, string> {
  const committed = (path: string) => `${git(folder, ['show', `HEAD:${path}`])}\n`;
  const edited = <T extends Manifest>(path: string, edit: (json: T) => void) => {
    const json = JSON.parse(committed(path)) as T;
    edit(json);
    return `${JSON.stringify(json, null, 2)}\n`;
  };
  const { workspaces = [] } = JSON.parse(committed('package.json')) as Manifest;
  const manifests = ['package.json', ...workspaces.map((workspace) => `${workspace}/package.json`)];
  return new Map([
    ['CHANGELOG.md', withVersion(committed('CHANGELOG.md'), version, date)],
    ...manifests.map((path) => [path, edited(path, (json) => setVersion(json, version))] as const),
    ['package-lock.json', edited<Lock>('package-lock.json', (lock) => setLockVersion(lock, version))],
  ]);
}
