import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

const table = 'export const routes: RouteRow[] = [';
const row = "{ path: '/one-more', access: 'login', title: 'One more', screen: lazyScreen(() => import('virtual:one-more'), 'OneMore') },";
const screen = `
  import { useQuery } from '@tanstack/react-query';
  import { jsx } from 'react/jsx-runtime';
  import { paths } from '/lib/paths.ts';
  import { useNow } from '/lib/use-now.ts';
  import { Form, useForm } from '/ui/form.tsx';
  import { Icon } from '/ui/icons.tsx';
  import { Link } from '/ui/link.tsx';
  import { Loading } from '/ui/loading.tsx';
  export const OneMore = () => jsx(Loading, { of: useQuery({ queryKey: ['more'] }), children: () => [useForm(), Form, useNow(), Icon, Link, paths.home] });
`;

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

async function registerLoad(plugins: Plugin[]): Promise<{ modules: string[]; bytes: number; gzipped: number; screens: number }> {
  const buildResult = await build({ root: import.meta.dirname, logLevel: 'error', plugins, build: { write: false } });
  const { output } = buildResult as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
  const loadedFiles = new Set<Rolldown.OutputChunk>();
  const add = (name: string) => {
    const chunk = chunks.get(name);
    if (!chunk || loadedFiles.has(chunk)) return;
    loadedFiles.add(chunk);
    for (const importedChunk of chunk.imports) add(importedChunk);
  };
  for (const chunk of chunks.values()) if (/\/(index\.html|app\/register\.tsx)$/.test(chunk.facadeModuleId ?? '')) add(chunk.fileName);
  const loadedChunks = [...loadedFiles];
  return {
    modules: loadedChunks.flatMap((chunk) => Object.keys(chunk.modules)).sort(),
    bytes: loadedChunks.reduce((sum, chunk) => sum + chunk.code.length, 0),
    gzipped: loadedChunks.reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0),
    screens: [...chunks.values()].filter((chunk) => chunk.isDynamicEntry).length,
  };
}

test("one more lazy screen in the route table adds nothing to the register page's first load", { timeout: 120_000 }, async () => {
  const loadBefore = await registerLoad([]);
  const loadAfter = await registerLoad([oneMoreScreen]);
  expect(loadAfter.screens).toBe(loadBefore.screens + 1);
  expect(loadAfter.modules).toEqual(loadBefore.modules);
  expect(loadBefore.modules.filter((id) => /app\/routes\.tsx$|query-core/.test(id))).toEqual([]);
  expect(loadAfter.bytes).toBe(loadBefore.bytes);
  // File names are hashes, and each hash compresses a little differently.
  expect(Math.abs(loadAfter.gzipped - loadBefore.gzipped)).toBeLessThan(100);
});
