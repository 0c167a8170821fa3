import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { version } from '../package.json' with { type: 'json' };
import { appManifest } from './app-manifest.ts';
import { brandColours } from './brand-colours.ts';
import { fillPageWords } from './page-words.ts';
import { prerenderBuild } from './prerender-build.ts';
import { serviceWorkerBuild } from './service-worker-build.ts';

/** The words that come from values, in every page. */
const pageWords = (): Plugin => ({ name: 'page-words', transformIndexHtml: (html) => fillPageWords(html, version) });

/** Preloads the fonts: loaded at the first text they would shift the layout. */
function fontsAtOnce(): Plugin {
  return {
    name: 'fonts-at-once',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/dashboard/${file}`, crossorigin: true },
            injectTo: 'head-prepend',
          })),
    },
  };
}

/**
 * Marks what react-router makes when it loads as free of side effects. Without the marks, links that preload pages of a rendering server
 * would be part of each page, which uses neither.
 */
function unusedRouterParts(): Plugin {
  return {
    name: 'unused-router-parts',
    transform(code, id) {
      if (!id.includes('/node_modules/react-router/dist/')) return undefined;
      return code
        .replace(/(?<== )(?=React\$1\.(createContext|forwardRef|memo)\()/g, '/* @__PURE__ */ ')
        .replace(/^\w+\.displayName = "\w+";$/gm, '');
    },
  };
}

/** `app_version.json` beside the pages, for their version check. */
function versionFile(): Plugin {
  return {
    name: 'version-file',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'app_version.json', source: JSON.stringify({ v: version }) });
    },
  };
}

/** `.vite/modules.json`: the modules of each built file and their bytes before minification, to explain a size increase. */
function moduleSizes(): Plugin {
  const root = new URL('..', import.meta.url).pathname;
  return {
    name: 'module-sizes',
    generateBundle(_options, bundle) {
      const sizes: Record<string, Record<string, number>> = {};
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const includedModules = Object.entries(file.modules).filter(([, { renderedLength }]) => renderedLength > 0);
        sizes[file.fileName] = Object.fromEntries(includedModules.map(([id, { renderedLength }]) => [nameOf(id, root), renderedLength]));
      }
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source: JSON.stringify(sizes) });
    },
  };
}

/** A module's path, relative to the repository or to node_modules wherever that is. */
const nameOf = (id: string, root: string) =>
  id
    .replace(/^.*\/node_modules\//, 'node_modules/')
    .replace(root, '')
    .replace('\0', '');

/** One shared file compresses better than many, and a file without changes stays in the browser's cache after an update. */
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper|rolldown\/runtime/ },
  { name: 'router', test: /node_modules\/react-router\// },
  {
    name: 'common',
    test: /dashboard\/(lib\/(call|config|dates|error-text|http|tab-storage|paths|return-to|session|support|handled-errors|take-over|use-now|use-title)|integrations\/push-offer|ui\/(error-boundary|field|footer|form|icons|lamp|loading|optional|plain-frame|skip-link|support))\.tsx?$/,
  },
  {
    name: 'guardian-page',
    test: /dashboard\/(app\/guardian-app|features\/guardians\/guardian-page\/(acknowledge|collapsible|device-row|guardian-page|is-reached|lazy-part|messages|overview|urgent|use-guardian-page))\.tsx?$/,
    // Other screens use what it imports as well, and do not load the page for it.
    includeDependenciesRecursively: false,
  },
  // Small, and nearly always used together.
  { name: 'people', test: /dashboard\/lib\/person-messages\.ts$|contract\/names\.ts$/, includeDependenciesRecursively: false },
];

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    react(),
    unusedRouterParts(),
    brandColours(),
    pageWords(),
    fontsAtOnce(),
    appManifest(),
    serviceWorkerBuild(),
    versionFile(),
    moduleSizes(),
    prerenderBuild(version),
  ],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    manifest: true,
    // Browsers without modulepreload load the same files a moment later; the polyfill would cost everyone.
    modulePreload: { polyfill: false },
    target: 'es2022',
    // Inlined fonts would delay the first paint.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'guardian.html', 'share.html', 'terms-of-service.html', 'privacy-policy.html'],
      // Names of screens would only add bytes to every page; the manifest maps the files.
      output: {
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: { groups },
      },
    },
  },
});
