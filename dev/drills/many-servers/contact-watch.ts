import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@porchlight/server/db/open.ts';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';

export interface Contact {
  /** Milliseconds since the last contact of a device, at the worst moment. */
  oldest: number;
  /** A sentence for each device that counted as silent. */
  outages: string[];
}

/** In milliseconds. */
const interval = 500;

/** Reads again and again when the devices were last in contact, and which of them count as silent. */
export function contactWatch(db: Db): { stop(): Promise<Contact> } {
  const stopping = new AbortController();
  const outages = new Set<string>();
  let oldest = 0;
  const loop = (async () => {
    for (; !stopping.signal.aborted; await sleep(interval, undefined, { signal: stopping.signal }).catch(() => {})) {
      const devices = await db.selectFrom('devices').select('last_seen').execute();
      for (const { last_seen } of devices) oldest = Math.max(oldest, last_seen ? Date.now() - last_seen.getTime() : 0);
      for (const { device, kind } of await db.selectFrom('device_outages').select(['device', 'kind']).execute())
        outages.add(`the device ${device} counted as ${kind}`);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await loop;
      return { oldest, outages: [...outages] };
    },
  };
}

/** Mails about devices that fell silent. */
export const outageMails = (mails: MailboxMail[]) =>
  mails.flatMap(({ subject, text }) => (/haven’t heard from|lost contact/i.test(subject + text) ? [`there was a mail "${subject}"`] : []));
