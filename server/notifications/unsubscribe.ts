import { alertEndpoints } from '@porchlight/contract/alerts.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Db, Trx } from '../db/open.ts';
import { bind, type Handlers, sendAs } from '../lib/bind.ts';
import { firstName } from '../lib/formatting.ts';
import type { Gates } from '../lib/gates.ts';
import type { Ending } from './unsubscribe-links.ts';
import { unsubscribePage } from './unsubscribe-page.ts';
import { pageTexts } from './unsubscribe-texts.ts';

export interface UnsubscribeDeps {
  db: Db;
  gates: Gates;
  read(token: string): Ending | null;
  /** The name of the guardian's holder, and whether the guardian has accepted. Null once the guardian is gone. */
  holderOfGuardian(trx: Trx, uuid: string): Promise<{ name: string; accepted: boolean } | null>;
  /** Each is idempotent, and answers false where the person is gone. */
  end: Record<Ending['what'], (trx: Trx, uuid: string) => Promise<boolean>>;
}

/** RFC 8058: an email program posts; a person opens the page and presses its button, and opening alone does nothing (P2.1). */
export function unsubscribeRoutes(app: FastifyInstance, { db, gates, read, holderOfGuardian, end }: UnsubscribeDeps): void {
  /** Null where the person of the link is gone. */
  const words = async (trx: Trx, { what, uuid }: Ending) => {
    if (what === 'weekly_holder') return { texts: pageTexts.weekly, holder: '' };
    const holder = await holderOfGuardian(trx, uuid);
    if (!holder) return null;
    const texts = what === 'weekly_guardian' ? pageTexts.weekly : holder.accepted ? pageTexts.all : pageTexts.invited;
    return { texts, holder: firstName(holder.name) };
  };
  const page = (reply: FastifyReply, html: string) => sendAs(reply, 'text/html', html);
  const dead = (reply: FastifyReply) => page(reply.code(410), unsubscribePage({ title: pageTexts.dead, text: '', button: null }));

  bind(app, gates, unsubscribeEndpoints, {
    'GET /unsubscribe/:token': async ({ params, reply }) => {
      const ending = read(params.token);
      const said = ending && (await db.transaction().execute((trx) => words(trx, ending)));
      if (!said) return dead(reply);
      const { texts, holder } = said;
      return page(reply, unsubscribePage({ title: texts.title, text: texts.text(holder), button: texts.button }));
    },
    'POST /unsubscribe/:token': async ({ params, reply }) => {
      const ending = read(params.token);
      const said =
        ending && (await db.transaction().execute(async (trx) => ((await end[ending.what](trx, ending.uuid)) ? words(trx, ending) : null)));
      if (!said) return dead(reply);
      return page(reply, unsubscribePage({ title: said.texts.done, text: said.texts.after(said.holder), button: null }));
    },
  } satisfies Handlers<typeof unsubscribeEndpoints>);
}

const unsubscribeEndpoints = {
  'GET /unsubscribe/:token': alertEndpoints['GET /unsubscribe/:token'],
  'POST /unsubscribe/:token': alertEndpoints['POST /unsubscribe/:token'],
};
