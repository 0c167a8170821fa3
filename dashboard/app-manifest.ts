import { brand, colors } from '@porchlight/contract/brand.ts';
import type { Plugin } from 'vite';

/** With it browsers offer to put the page on the home screen (P11.6). The server changes it for the page of each guardian. */
const manifest = {
  id: '/dashboard/',
  name: brand.name,
  short_name: brand.name,
  lang: 'en',
  start_url: '/dashboard/',
  scope: '/dashboard/',
  display: 'standalone',
  background_color: colors.light.paper,
  theme_color: colors.light.paper,
  // Drawn from `lamp.svg` by `node dev/draw-icons.ts`.
  icons: [
    { src: '/dashboard/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/dashboard/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/dashboard/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
};

const installablePages = ['/index.html', '/guardian.html'];

/** Adds the manifest, and its links to the pages that are worth an icon on the home screen. */
export function appManifest(): Plugin {
  return {
    name: 'app-manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path }) => (installablePages.includes(path) ? links : []),
    },
  };
}

const themeColor = (scheme: keyof typeof colors) => ({
  tag: 'meta',
  attrs: { name: 'theme-color', media: `(prefers-color-scheme: ${scheme})`, content: colors[scheme].paper },
  injectTo: 'head' as const,
});
const links = [
  { tag: 'link', attrs: { rel: 'manifest', href: '/dashboard/manifest.webmanifest' }, injectTo: 'head' as const },
  { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/dashboard/apple-touch-icon.png' }, injectTo: 'head' as const },
  themeColor('light'),
  themeColor('dark'),
];
