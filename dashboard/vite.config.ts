import { brand } from '@porchlight/contract/brand.ts';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { version } from '../package.json' with { type: 'json' };
import { brandColours } from './brand-colours.ts';

/** Names in the pages themselves, `{{name}}`, come from `contract/brand.ts` too; `{{footer}}` is the one of the app without what only the app has, with a place for the news that there is a newer version. */
function brandWords(): Plugin {
  const { name, support, scam_help_url } = brand;
  const footer = `<footer><div class="wrap">
    <span>Worried right now? <a href="${scam_help_url}">I think I am being scammed</a></span>
    <span>${support.title} <a href="mailto:${support.email}">${support.email}</a> · <a href="tel:${support.phone.replaceAll('-', '')}">${support.phone}</a></span>
    <span><a href="/terms-of-service">Terms</a> · <a href="/privacy-policy">Privacy</a> · © ${new Date().getFullYear()} ${name} · Version ${version}</span>
    <div role="status" id="newer"></div>
  </div></footer>`;
  return { name: 'brand-words', transformIndexHtml: (html) => html.replaceAll('{{footer}}', footer).replaceAll('{{name}}', name) };
}

/** The fonts are asked for with the page, and not when its first text is drawn: what was read would move when they come. */
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

/** `app_version.json` beside the pages: how a page that is open learns that there is a newer one. */
function versionFile(): Plugin {
  return {
    name: 'version-file',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'app_version.json', source: JSON.stringify({ v: version }) });
    },
  };
}

/** `.vite/modules.json`: of each built file, what it is made of and how much of each, in bytes before minification. A weight that grew is explained with it. */
function moduleSizes(): Plugin {
  const root = new URL('..', import.meta.url).pathname;
  return {
    name: 'module-sizes',
    generateBundle(_options, bundle) {
      const sizes: Record<string, Record<string, number>> = {};
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const parts = Object.entries(file.modules).filter(([, { renderedLength }]) => renderedLength > 0);
        sizes[file.fileName] = Object.fromEntries(parts.map(([id, { renderedLength }]) => [nameOf(id, root), renderedLength]));
      }
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source: JSON.stringify(sizes) });
    },
  };
}

/** From the repository's root, or from its packages, wherever those are installed. */
const nameOf = (id: string, root: string) =>
  id
    .replace(/^.*\/node_modules\//, 'node_modules/')
    .replace(root, '')
    .replace('\0', '');

const common =
  /dashboard\/(lib\/(call|config|error-text|http|tab-storage|paths|return-to|session|support|handled-errors)|ui\/(confirm-queue|field|footer|form|icons|lamp|loading|skip-link|support))\.tsx?$/;

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), brandColours(), brandWords(), fontsAtOnce(), versionFile(), moduleSizes()],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    manifest: true,
    // Browsers without modulepreload load the same files a moment later; the polyfill would weigh on everyone.
    modulePreload: { polyfill: false },
    target: 'es2022',
    // Fonts stay files: inlined into the style sheet they would hold back the first paint.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'guardian.html', 'share.html', 'terms-of-service.html', 'privacy-policy.html'],
      // Every page carries the names of all screens with it, and nobody reads them: the manifest says which file is what.
      output: {
        chunkFileNames: 'assets/[hash].js',
        // Shared code in one file: split into many, each compresses worse.
        codeSplitting: { groups: [{ name: 'common', test: common }] },
      },
    },
  },
});
