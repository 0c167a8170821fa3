import { brand, colors } from '@porchlight/contract/brand.ts';
import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { escape } from '../../texts/email.ts';
import { installerFiles } from './installers.ts';

const systems = { windows: 'Windows', macos: 'macOS', linux: 'Linux' } as const satisfies Record<InstallerPlatform, string>;

const messages = {
  none: (system: string) => `This service has no installer for ${system} yet.`,
  unknown: 'We have no such download.',
  notReady: 'This download isn’t ready yet.',
  building: 'We’re getting it ready now. This takes a few minutes.',
  failed: 'Something went wrong while we were getting it ready. We’ll try again in about 10 minutes.',
  again: 'Try again',
  ask: 'Ask support.',
  operator: (file: string) => `Do you run this service? The installer belongs in the folder that INSTALLERS_DIR names, as ${file}.`,
  back: 'Go to the free plan',
  never: `${brand.name} never asks you for anything: no password, no PIN, no money. We call only after a stop, and only if you agreed to it.`,
};

const roles = (colours: Record<string, string>) =>
  Object.entries(colours)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';');

const style = `:root{color-scheme:light dark;${roles(colors.light)}}@media(prefers-color-scheme:dark){:root{${roles(colors.dark)}}}
*{box-sizing:border-box;margin:0}body{background:var(--paper);color:var(--ink);font:1.125rem/1.5 "Atkinson Hyperlegible Next",Verdana,sans-serif;overflow-wrap:anywhere}
main{max-width:640px;margin:0 auto;padding:32px 16px;display:grid;gap:24px}h1{font-size:1.875rem;line-height:1.2}svg{width:64px;height:80px}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:24px;display:grid;gap:8px}a{color:var(--action);text-underline-offset:3px}
.alone{display:inline-flex;align-items:center;min-height:44px}.soft{color:var(--ink-soft)}:focus-visible{outline:3px solid var(--action);outline-offset:2px}`;

const lampSvg =
  '<svg viewBox="0 0 64 80" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M32 4v6M13 25 32 11l19 14"/><path d="M17 27h30l-4 33H21z"/><path d="M24 67h16M28 75h8"/></svg>';

/** The error page for a missing installer; `platform` is null for an unknown download. */
export function missingPage(platform: InstallerPlatform | null): string {
  const operator = platform ? `<p class="soft">${escape(messages.operator(installerFiles[platform]))}</p>` : '';
  return page(platform ? messages.none(systems[platform]) : messages.unknown, operator);
}

/** The page for an installer that is being built, or could not be built. */
export function notReadyPage(platform: InstallerPlatform, state: 'building' | 'failed'): string {
  return page(messages.notReady, `<p>${escape(messages[state])}</p><p>${link(`/downloads/${platform}`, messages.again)}</p>`);
}

const link = (href: string, text: string) => `<a class="alone" href="${escape(href)}">${escape(text)}</a>`;

function page(heading: string, notes: string): string {
  const { title, email, phone } = brand.support;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(`${heading} · ${brand.name}`)}</title><style>${style}</style></head><body><main>${lampSvg}<h1>${escape(heading)}</h1><section><p>${messages.ask}</p><p>${escape(title)}</p>${link(`mailto:${email}`, email)}${link(`tel:${phone.replace(/[^\d+]/g, '')}`, phone)}</section>${notes}<p>${link('/dashboard/free-download', messages.back)}</p><p class="soft">${escape(messages.never)}</p></main></body></html>`;
}
