import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@porchlight/server/db/open.ts';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';
import { call, Refused } from '../../call.ts';
import { validPassword } from '../../people.ts';
import { until } from '../../until.ts';
import { liftLimits } from './households.ts';

/** In milliseconds. */
const retryAfter = 200;
/** A job of a killed server runs again after its lease of half a minute. */
const mailsWithin = 60_000;

/** People register, each `pauseMs` after the last one, and try again when nobody answers. */
export function registrations(db: Db, { route, pauseMs, began }: { route(): string; pauseMs: number; began(url: string): void }) {
  const accepted: string[] = [];
  const stopping = new AbortController();
  const register = async (email: string) => {
    for (;;) {
      const url = route();
      began(url);
      const body = { name: 'Ann Example', email, password: validPassword, promo: null };
      const reason: unknown = await call(url, 'POST /register', { body }).then(
        () => null,
        (err: unknown) => err,
      );
      // The answer of the first attempt was lost, and the account is there.
      const isTaken = reason instanceof Refused && reason.code === 'email_taken';
      if (reason === null || isTaken) return accepted.push(email);
      await sleep(retryAfter);
    }
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await liftLimits(db);
      await register(`${randomUUID()}@example.org`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    accepted,
    async stop() {
      stopping.abort();
      await loop;
    },
    /** Waits for the mails. Returns the people who have not exactly one. */
    async compare(mailbox: () => Promise<MailboxMail[]>): Promise<string[]> {
      const idsByPerson = async () => {
        const ids = new Map(accepted.map((email) => [email, new Set<string>()]));
        for (const { to, message_id } of await mailbox()) ids.get(to[0] ?? '')?.add(message_id);
        return [...ids.values()];
      };
      await until('the mails', async () => (await idsByPerson()).every((ids) => ids.size > 0), mailsWithin, 500).catch(() => {});
      const wrong = (await idsByPerson()).filter((ids) => ids.size !== 1);
      return [
        ...wrong.map((ids) => `somebody who registered has ${ids.size} different mails`),
        ...(accepted.length ? [] : ['nobody registered, so nothing was tested']),
      ];
    },
  };
}
