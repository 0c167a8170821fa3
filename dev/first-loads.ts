import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}

export type Manifest = Record<string, Chunk>;

/** The files of a page's first load. Sizes are gzipped JS and CSS, without fonts and pictures. */
export interface FirstLoad {
  name: string;
  path: string[];
  limit: string;
}

/** `between`: the module that the page loads and that loads the screen. */
const screens = [
  { name: 'login', page: 'index.html', between: null, route: /\blogin\b/, limit: '96 kB' },
  { name: 'register', page: 'index.html', between: null, route: /\bregister\.tsx$/, limit: '96 kB' },
  { name: 'dashboard', page: 'index.html', between: 'app/screens.tsx', route: /app\/(home|dashboard)/, limit: '134.5 kB' },
  { name: 'guardian', page: 'guardian.html', between: null, route: null, limit: '90.5 kB' },
  { name: 'share', page: 'share.html', between: null, route: null, limit: '89.5 kB' },
];
const furtherRoute = '26 kB';
/** Chunks with a large library, loaded only where needed. */
const withLibrary = [
  // Error reporting, loaded after consent where the operator has configured it.
  { chunk: /integrations\/error-reporting/, limit: '100 kB' },
  { chunk: /ui\/phone\/phone-field/, limit: '55 kB' },
];

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'dashboard', 'dist', '.vite', 'manifest.json'), 'utf8')) as Manifest;
}

/** Throws when a page or a route's chunk is missing: a gate that measures nothing must not pass. */
export function firstLoads(manifest: Manifest): FirstLoad[] {
  const loads: FirstLoad[] = [];
  const main = [...filesOf(manifest, 'index.html'), ...filesOf(manifest, 'app/screens.tsx')];
  const routes = Object.entries(manifest).filter(([, chunk]) => chunk.isDynamicEntry);
  const usedChunks = new Set<string>();
  for (const { name, page, between, route, limit } of screens) {
    const routeChunks = route ? routes.filter(([key]) => route.test(key)) : [];
    if (route && routeChunks.length === 0) throw new Error(`The build has no chunk for the route ${name} (looked for ${route.source}).`);
    for (const [key] of routeChunks) usedChunks.add(key);
    const keys = [page, ...(between ? [between] : []), ...routeChunks.map(([key]) => key)];
    loads.push({ name, path: [...new Set(keys.flatMap((key) => filesOf(manifest, key)))], limit });
  }
  for (const [key] of routes) {
    const extraFiles = filesOf(manifest, key).filter((file) => !main.includes(file));
    if (!usedChunks.has(key) && extraFiles.length)
      loads.push({
        name: `route ${key}`,
        path: extraFiles,
        limit: withLibrary.find(({ chunk }) => chunk.test(key))?.limit ?? furtherRoute,
      });
  }
  return loads.map((load) => ({ ...load, path: load.path.map((file) => `dashboard/dist/${file}`) }));
}

function filesOf(manifest: Manifest, key: string, visited = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build has no ${key}.`);
  if (visited.has(key)) return [];
  visited.add(key);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((other) => filesOf(manifest, other, visited))];
}
