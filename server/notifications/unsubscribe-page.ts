import { brand, colors } from '@porchlight/contract/brand.ts';
import { escape } from '../lib/email.ts';

const roles = (colours: Record<string, string>) =>
  Object.entries(colours)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';');

const style = `:root{color-scheme:light dark;${roles(colors.light)}}@media(prefers-color-scheme:dark){:root{${roles(colors.dark)}}}
*{box-sizing:border-box;margin:0}body{background:var(--paper);color:var(--ink);font:18px/1.5 "Atkinson Hyperlegible Next",Verdana,sans-serif;overflow-wrap:anywhere}
main{max-width:640px;margin:0 auto;padding:32px 16px;display:grid;gap:24px}h1{font-size:30px;line-height:1.2}a{color:var(--action);text-underline-offset:3px}
.alone{display:inline-flex;align-items:center;min-height:44px;margin-right:24px}.soft{color:var(--ink-soft)}:focus-visible{outline:3px solid var(--action);outline-offset:2px}
button{min-height:48px;padding:12px 24px;border:0;border-radius:12px;background:var(--action);color:var(--action-ink);font:inherit;font-weight:bold;cursor:pointer}`;

/** Needs no script and no login, because ending emails must be easy. `button`: null once emails have ended. */
export function unsubscribePage({ title, text, button }: { title: string; text: string; button: string | null }): string {
  const { email, phone, title: support } = brand.support;
  const contact = (href: string, label: string) => `<a class="alone" href="${escape(href)}">${escape(label)}</a>`;
  const form = button === null ? '' : `<form method="post"><button>${escape(button)}</button></form>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(`${title} · ${brand.name}`)}</title><style>${style}</style></head><body><main><h1>${escape(title)}</h1><p>${escape(text)}</p>${form}<p class="soft">${escape(support)}<br>${contact(`mailto:${email}`, email)}${contact(`tel:${phone.replace(/[^\d+]/g, '')}`, phone)}</p></main></body></html>`;
}
