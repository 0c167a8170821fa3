import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** What vite writes about each file that it built. */
interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}

export type Manifest = Record<string, Chunk>;

/** One line of the weight table; sizes are gzipped JS and CSS, fonts and pictures apart. */
export interface FirstLoad {
  name: string;
  path: string[];
  limit: string;
}

/** Which built files a person loads to see a screen: the page, what stands between it and the screen, and the chunk of its route. */
const screens = [
  { name: 'login', page: 'index.html', between: null, route: /\blogin\b/, limit: '100 kB' },
  { name: 'register', page: 'index.html', between: null, route: /\bregister\.tsx$/, limit: '100 kB' },
  { name: 'dashboard', page: 'index.html', between: 'app/screens.tsx', route: /app\/(home|dashboard)/, limit: '150 kB' },
  { name: 'guardian', page: 'guardian.html', between: null, route: null, limit: '90 kB' },
  { name: 'share', page: 'share.html', between: null, route: null, limit: '90 kB' },
];
const furtherRoute = '25 kB';
/** What comes with a library of its own, and only where that is used. */
const withLibrary = [
  // After someone agreed to it, where the operator has set it up.
  { chunk: /integrations\/error-reporting/, limit: '100 kB' },
  // The numbers of all countries.
  { chunk: /ui\/phone\/phone-field/, limit: '55 kB' },
];

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'dashboard', 'dist', '.vite', 'manifest.json'), 'utf8')) as Manifest;
}

/** Throws when a page or a route's chunk is not in the build: a gate that measures nothing must not pass. */
export function firstLoads(manifest: Manifest): FirstLoad[] {
  const loads: FirstLoad[] = [];
  const main = [...filesOf(manifest, 'index.html'), ...filesOf(manifest, 'app/screens.tsx')];
  const routes = Object.entries(manifest).filter(([, chunk]) => chunk.isDynamicEntry);
  const named = new Set<string>();
  for (const { name, page, between, route, limit } of screens) {
    const own = route ? routes.filter(([key]) => route.test(key)) : [];
    if (route && own.length === 0) throw new Error(`The build has no chunk for the route ${name} (looked for ${route.source}).`);
    for (const [key] of own) named.add(key);
    const keys = [page, ...(between ? [between] : []), ...own.map(([key]) => key)];
    loads.push({ name, path: [...new Set(keys.flatMap((key) => filesOf(manifest, key)))], limit });
  }
  for (const [key] of routes) {
    const extra = filesOf(manifest, key).filter((file) => !main.includes(file));
    if (!named.has(key) && extra.length)
      loads.push({ name: `route ${key}`, path: extra, limit: withLibrary.find(({ chunk }) => chunk.test(key))?.limit ?? furtherRoute });
  }
  return loads.map((load) => ({ ...load, path: load.path.map((file) => `dashboard/dist/${file}`) }));
}

/** A chunk, its styles, and everything that it imports at once. */
function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build has no ${key}.`);
  if (seen.has(key)) return [];
  seen.add(key);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((other) => filesOf(manifest, other, seen))];
}
