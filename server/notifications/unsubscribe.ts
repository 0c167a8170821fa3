import { alertEndpoints } from '@porchlight/contract/alerts.ts';
import { brand, colors } from '@porchlight/contract/brand.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Trx } from '../db/open.ts';
import { bind, type Handlers, sendAs } from '../http/bind.ts';
import type { Kernel } from '../kernel.ts';
import { escape } from '../texts/email.ts';
import { firstName } from '../texts/formatting.ts';
import type { OptOut } from './unsubscribe-links.ts';
import { pageTexts } from './unsubscribe-texts.ts';

export interface UnsubscribeDeps extends Pick<Kernel, 'db' | 'gates'> {
  read(token: string): OptOut | null;
  /** Null if the guardian does not exist any more. `later`: emails end once the incident is over. */
  holderOfGuardian(trx: Trx, uuid: string): Promise<{ name: string; accepted: boolean; later: boolean } | null>;
  /** Idempotent; false if the account or guardian does not exist any more. */
  end: Record<OptOut['what'], (trx: Trx, uuid: string) => Promise<boolean>>;
}

const roles = (colours: Record<string, string>) =>
  Object.entries(colours)
    .map(([role, value]) => `--${role}:${value}`)
    .join(';');

const style = `:root{color-scheme:light dark;${roles(colors.light)}}@media(prefers-color-scheme:dark){:root{${roles(colors.dark)}}}
*{box-sizing:border-box;margin:0}body{background:var(--paper);color:var(--ink);font:1.125rem/1.5 "Atkinson Hyperlegible Next",Verdana,sans-serif;overflow-wrap:anywhere}
main{max-width:640px;margin:0 auto;padding:32px 16px;display:grid;gap:24px}h1{font-size:1.875rem;line-height:1.2}a{color:var(--action);text-underline-offset:3px}
.alone{display:inline-flex;align-items:center;min-height:44px;margin-right:24px}.soft{color:var(--ink-soft)}:focus-visible{outline:3px solid var(--action);outline-offset:2px}
button{min-height:48px;padding:12px 24px;border:0;border-radius:12px;background:var(--action);color:var(--action-ink);font:inherit;font-weight:bold;cursor:pointer}`;

/** Needs no script and no login, because ending emails must be easy. `button`: null once emails have ended. */
function unsubscribePage({ title, text, button }: { title: string; text: string; button: string | null }): string {
  const { email, phone, title: support } = brand.support;
  const contact = (href: string, label: string) => `<a class="alone" href="${escape(href)}">${escape(label)}</a>`;
  const form = button === null ? '' : `<form method="post"><button>${escape(button)}</button></form>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(`${title} · ${brand.name}`)}</title><style>${style}</style></head><body><main><h1>${escape(title)}</h1><p>${escape(text)}</p>${form}<p class="soft">${escape(support)}<br>${contact(`mailto:${email}`, email)}${contact(`tel:${phone.replace(/[^\d+]/g, '')}`, phone)}</p></main></body></html>`;
}

/** RFC 8058: an email program posts; opening the page alone does nothing (P2.1). */
export function unsubscribeRoutes(app: FastifyInstance, { db, gates, read, holderOfGuardian, end }: UnsubscribeDeps): void {
  /** Null if the account or guardian does not exist any more. */
  const textsOf = async (trx: Trx, { what, uuid }: OptOut) => {
    if (what === 'weekly_holder') return { texts: pageTexts.weekly, holder: '' };
    const holder = await holderOfGuardian(trx, uuid);
    if (!holder) return null;
    const all = holder.later ? pageTexts.later : pageTexts.all;
    const texts = what === 'weekly_guardian' ? pageTexts.weekly : holder.accepted ? all : pageTexts.invited;
    return { texts, holder: firstName(holder.name) };
  };
  const page = (reply: FastifyReply, html: string) => sendAs(reply, 'text/html', html);
  const replyInvalid = (reply: FastifyReply) => page(reply.code(410), unsubscribePage({ title: pageTexts.dead, text: '', button: null }));

  bind(app, gates, unsubscribeEndpoints, {
    'GET /unsubscribe/:token': async ({ params, reply }) => {
      const optOut = read(params.token);
      const linkTexts = optOut && (await db.transaction().execute((trx) => textsOf(trx, optOut)));
      if (!linkTexts) return replyInvalid(reply);
      const { texts, holder } = linkTexts;
      return page(reply, unsubscribePage({ title: texts.title, text: texts.text(holder), button: texts.button }));
    },
    'POST /unsubscribe/:token': async ({ params, reply }) => {
      const optOut = read(params.token);
      const linkTexts =
        optOut &&
        (await db.transaction().execute(async (trx) => ((await end[optOut.what](trx, optOut.uuid)) ? textsOf(trx, optOut) : null)));
      if (!linkTexts) return replyInvalid(reply);
      return page(reply, unsubscribePage({ title: linkTexts.texts.done, text: linkTexts.texts.after(linkTexts.holder), button: null }));
    },
  } satisfies Handlers<typeof unsubscribeEndpoints>);
}

const unsubscribeEndpoints = {
  'GET /unsubscribe/:token': alertEndpoints['GET /unsubscribe/:token'],
  'POST /unsubscribe/:token': alertEndpoints['POST /unsubscribe/:token'],
};
