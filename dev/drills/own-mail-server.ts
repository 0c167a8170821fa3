import type { StoredItem, StoredItems } from '@porchlight/server/lib/stored-items.ts';
import { type MailStep, openMailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { startWorld, type World, type WorldOptions } from '../world.ts';

/** Called at each step of each email; may delay a recipient, or refuse with a `responseCode` error. */
export type Watch = (step: MailStep, recipient: string) => unknown;

/** Starts the product with a mail server that survives kills of the product and reports each step to `watch`. */
export async function worldWithOwnMailServer(options: WorldOptions = {}): Promise<World & { watch(watch: Watch): void; smtpUrl: string }> {
  let currentWatch: Watch = () => {};
  const mailbox = await openMailbox(inMemory(), (step, recipient) => currentWatch(step, recipient));
  const world = await startWorld({ ...options, env: { ...options.env, SMTP_URL: mailbox.smtp_url } }).catch(async (reason: unknown) => {
    await mailbox.close();
    throw reason;
  });
  return {
    ...world,
    smtpUrl: mailbox.smtp_url,
    mailbox: mailbox.list,
    watch(watch) {
      currentWatch = watch;
    },
    async close() {
      await world.close();
      await mailbox.close();
    },
  };
}

export function inMemory(): StoredItems {
  const items: StoredItem[] = [];
  return {
    async add(content) {
      items.unshift({ id: String(items.length).padStart(8, '0'), received: new Date().toISOString(), content });
    },
    list: async () => items,
  };
}
