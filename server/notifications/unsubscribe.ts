import { alertEndpoints } from '@porchlight/contract/alerts.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Db, Trx } from '../db/open.ts';
import { bind, type Handlers, sendAs } from '../lib/bind.ts';
import { firstName } from '../lib/formatting.ts';
import type { Gates } from '../lib/gates.ts';
import type { OptOut } from './unsubscribe-links.ts';
import { unsubscribePage } from './unsubscribe-page.ts';
import { pageTexts } from './unsubscribe-texts.ts';

export interface UnsubscribeDeps {
  db: Db;
  gates: Gates;
  read(token: string): OptOut | null;
  /** Null if the guardian does not exist any more. `later`: emails end once the incident is over. */
  holderOfGuardian(trx: Trx, uuid: string): Promise<{ name: string; accepted: boolean; later: boolean } | null>;
  /** Idempotent; false if the account or guardian does not exist any more. */
  end: Record<OptOut['what'], (trx: Trx, uuid: string) => Promise<boolean>>;
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
