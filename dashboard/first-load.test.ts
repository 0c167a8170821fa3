import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

const table = 'export const routes: RouteRow[] = [';
const row = "{ path: '/one-more', access: 'login', title: 'One more', screen: lazyScreen(() => import('virtual:one-more'), 'OneMore') },";
const screen = `
  import { useQuery } from '@tanstack/react-query';
  import { jsx } from 'react/jsx-runtime';
  import { Link } from 'react-router';
  import { paths } from '/lib/paths.ts';
  import { useNow } from '/lib/use-now.ts';
  import { Form, useForm } from '/ui/form.tsx';
  import { Icon } from '/ui/icons.tsx';
  import { Loading } from '/ui/loading.tsx';
  export const OneMore = () => jsx(Loading, { of: useQuery({ queryKey: ['more'] }), children: () => [useForm(), Form, useNow(), Icon, Link, paths.home] });
`;

/** Adds a lazy row and its screen, as a contributor would. */
const oneMoreScreen: Plugin = {
  name: 'one-more-screen',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source === 'virtual:one-more') return '\0one-more';
    return importer === '\0one-more' && source.startsWith('/') ? `${import.meta.dirname}${source}` : undefined;
  },
  load: (id) => (id === '\0one-more' ? screen : undefined),
  transform(code, id) {
    if (!id.endsWith('/app/routes.tsx')) return undefined;
    if (!code.includes(table)) throw new Error('The route table does not begin as this test expects.');
    return code.replace(table, table + row);
  },
};

/** What the register page loads before it can be used. */
async function registerLoad(plugins: Plugin[]): Promise<{ modules: string[]; bytes: number; gzipped: number; screens: number }> {
  const built = await build({ root: import.meta.dirname, logLevel: 'error', plugins, build: { write: false } });
  const { output } = built as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
  const load = new Set<Rolldown.OutputChunk>();
  const add = (name: string) => {
    const chunk = chunks.get(name);
    if (!chunk || load.has(chunk)) return;
    load.add(chunk);
    for (const other of chunk.imports) add(other);
  };
  for (const chunk of chunks.values()) if (/\/(index\.html|app\/register\.tsx)$/.test(chunk.facadeModuleId ?? '')) add(chunk.fileName);
  const parts = [...load];
  return {
    modules: parts.flatMap((chunk) => Object.keys(chunk.modules)).sort(),
    bytes: parts.reduce((sum, chunk) => sum + chunk.code.length, 0),
    gzipped: parts.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0),
    screens: [...chunks.values()].filter((chunk) => chunk.isDynamicEntry).length,
  };
}

test("one more lazy screen in the route table adds nothing to the register page's first load", { timeout: 120_000 }, async () => {
  const before = await registerLoad([]);
  const after = await registerLoad([oneMoreScreen]);
  expect(after.screens).toBe(before.screens + 1);
  expect(after.modules).toEqual(before.modules);
  expect(before.modules.filter((id) => /app\/routes\.tsx$|query-core/.test(id))).toEqual([]);
  expect(after.bytes).toBe(before.bytes);
  // The names of files are hashes, and each hash packs a little differently.
  expect(Math.abs(after.gzipped - before.gzipped)).toBeLessThan(100);
});
