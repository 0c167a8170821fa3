import { createContext, runInContext } from 'node:vm';
import { brand } from '@porchlight/contract/brand.ts';
import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import { build, type Plugin, type Rolldown } from 'vite';
import { brandColours } from './brand-colours.ts';

/** The pages of the app that are the same for all guests, by path below /dashboard, and the module of each screen. */
const appPages = {
  '/login': 'features/accounts/login-screen.tsx',
  '/register': 'app/register.tsx',
  '/forgot-password': 'features/accounts/forgot-password-screen.tsx',
  '/free-download': 'features/downloads/free-download-screen.tsx',
  '/help-now': 'features/emergency/help-now-screen.tsx',
};
type AppPath = keyof typeof appPages;

interface Rendered {
  html: string;
  title: string | null;
}

type Entry = typeof import('./prerender-main.tsx');

/**
 * Writes `guest/*.html`: the pages for guests with their content, which is on the screen before any script runs. The server sends them,
 * and the script takes them over.
 */
export function prerenderBuild(version: string): Plugin {
  return {
    name: 'prerender-build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const code = await entryCode(version);
        const write = async (page: string, name: string, render: (entry: Entry) => Promise<Rendered>, screen?: string) => {
          const path = `/dashboard/${name}`;
          const rendered = await sameForAllSettings(path, code, render);
          const { source } = bundle[page] as Rolldown.OutputAsset;
          const fileName = `guest/${name}.html`;
          this.emitFile({
            type: 'asset',
            fileName,
            source: filled(String(source), rendered, screen ? linksFor(bundle, page, screen) : ''),
          });
        };
        await write('guardian.html', 'guardian', async (entry) => ({ html: entry.guardianPage(), title: null }));
        await write('share.html', 'share', async (entry) => ({ html: entry.sharePage(), title: null }));
        for (const path of Object.keys(appPages) as AppPath[])
          await write('index.html', path.slice(1), (entry) => entry.appPage(path), appPages[path]);
      },
    },
  };
}

/** All code of the pages as one script, which sets `module.exports`. */
async function entryCode(version: string): Promise<string> {
  const { output } = (await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [brandColours()],
    define: { __VERSION__: JSON.stringify(version), 'process.env.NODE_ENV': '"production"' },
    // A test builds too, and its elements are React's for development.
    oxc: { jsx: { development: false } },
    ssr: { noExternal: true },
    build: {
      ssr: 'prerender-main.tsx',
      write: false,
      target: 'es2022',
      rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}

/** Throws if the page depends on a setting of the server: it would show the wrong thing until the script runs. */
export async function sameForAllSettings(path: string, code: string, render: (entry: Entry) => Promise<Rendered>): Promise<Rendered> {
  const [withAll, withNone] = await Promise.all([true, false].map(async (on) => render(entryAt(path, code, settings(on)))));
  if (!withAll || withAll.html !== withNone?.html) throw new Error(`${path} cannot be rendered by the build: it depends on a setting.`);
  return withAll;
}

const settings = (on: boolean): DashboardConfig => ({
  host: on ? 'https://one.example' : 'https://two.example',
  support: brand.support,
  development: on,
  max_guardians: on ? 5 : 0,
  features: { email_check: on, unverified_banner: on, guardians: on, sms: on, phone_verification: on },
  calls: on,
  push: on ? { public_key: 'key', simulator: null } : null,
  chat: on ? { base_url: 'https://chat.example', website_token: 'token' } : null,
  error_reporting: on ? { dsn: 'https://key@errors.example/1' } : null,
  analytics: on ? { url: 'https://analytics.example', domain: 'example.org' } : null,
});

/** React renders without it, but makes one when it loads. */
class SilentChannel {
  port1 = {};
  port2 = {};
}

/** Runs the code as in the browser of a guest who opens this path. */
function entryAt(path: string, code: string, config: DashboardConfig): Entry {
  const module = { exports: {} };
  const storage = { getItem: () => null };
  const browser: Record<string, unknown> = {
    ...{
      module,
      exports: module.exports,
      console,
      URL,
      URLSearchParams,
      TextEncoder,
      TextDecoder,
    },
    // A timer would run after the page is rendered, and would not let the build end.
    ...{ setTimeout: () => 0, clearTimeout() {}, MessageChannel: SilentChannel },
    ...{ localStorage: storage, sessionStorage: storage, navigator: {} },
    location: { pathname: path, search: '', hash: '', origin: config.host, host: new URL(config.host).host },
    history: { state: null, pushState() {}, replaceState() {} },
    document: { getElementById: (id: string) => (id === 'config' ? { textContent: JSON.stringify(config) } : null) },
  };
  browser.window = browser;
  runInContext(code, createContext(browser));
  return module.exports as Entry;
}

/** The code and styles of the screen, which load with the page's own. */
function linksFor(bundle: Rolldown.OutputBundle, page: string, screen: string): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const chunkOf = (module: string) =>
    chunks.find(({ facadeModuleId, moduleIds }) => (facadeModuleId ?? moduleIds.at(-1))?.endsWith(`/${module}`));
  const loaded = filesOf(bundle, chunkOf(`dashboard/${page}`));
  const guestsOwn = screen.includes('/downloads/') ? [chunkOf('dashboard/app/screens.tsx')] : [];
  const files = [...guestsOwn, chunkOf(`dashboard/${screen}`)].flatMap((chunk) => filesOf(bundle, chunk));
  return [...new Set(files)]
    .filter((file) => !loaded.includes(file))
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/dashboard/${file}">`
        : `<link rel="modulepreload" crossorigin href="/dashboard/${file}">`,
    )
    .join('');
}

function filesOf(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk | undefined, found = new Set<string>()): string[] {
  if (!chunk) throw new Error('A page that the build renders has no chunk of its own.');
  if (found.has(chunk.fileName)) return [];
  found.add(chunk.fileName);
  const { importedCss = new Set<string>() } = (chunk as { viteMetadata?: { importedCss?: Set<string> } }).viteMetadata ?? {};
  const imported = chunk.imports.map((name) => bundle[name]).filter((file) => file?.type === 'chunk');
  return [chunk.fileName, ...importedCss, ...imported.flatMap((other) => filesOf(bundle, other, found))];
}

function filled(page: string, { html, title }: Rendered, links: string): string {
  const emptyRoot = '<div id="root"></div>';
  if (!page.includes(emptyRoot)) throw new Error('A page has no empty root.');
  return page
    .replace(emptyRoot, () => `<div id="root">${html}</div>`)
    .replace(/<title>[^<]*<\/title>/, (own) => (title ? `<title>${title} · ${brand.name}</title>` : own))
    .replace('</head>', () => `${links}</head>`);
}
