import type { StoredItem, StoredItems } from '@porchlight/server/lib/stored-items.ts';
import { type MailStep, openMailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { startWorld, type World, type WorldOptions } from '../world.ts';

/** Called at each step of each mail; `rcpt` waits for what it answers, and an error with a `responseCode` refuses. */
export type Watch = (step: MailStep, to: string) => unknown;

/** A world whose mail server is ours: it goes on while the product dies, and says what it sees to whoever `watch` gives it to. */
export async function worldWithOwnMailServer(options: WorldOptions = {}): Promise<World & { watch(watch: Watch): void; smtpUrl: string }> {
  let watching: Watch = () => {};
  const mailbox = await openMailbox(inMemory(), (step, to) => watching(step, to));
  const world = await startWorld({ ...options, env: { ...options.env, SMTP_URL: mailbox.smtp_url } }).catch(async (reason: unknown) => {
    await mailbox.close();
    throw reason;
  });
  return {
    ...world,
    smtpUrl: mailbox.smtp_url,
    mailbox: mailbox.list,
    watch(watch) {
      watching = watch;
    },
    async close() {
      await world.close();
      await mailbox.close();
    },
  };
}

/** It outlives the product and its database, and needs to outlive nothing else. */
function inMemory(): StoredItems {
  const items: StoredItem[] = [];
  return {
    async add(content) {
      items.unshift({ id: String(items.length).padStart(8, '0'), received: new Date().toISOString(), content });
    },
    list: async () => items,
  };
}
