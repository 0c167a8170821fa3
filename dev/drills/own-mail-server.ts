import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MailStep, openMailbox } from '@porchlight/server/outside/mail/mailbox.ts';
import { startWorld, type World } from '../world.ts';

/** Called at each step of each mail. */
export type Watch = (step: MailStep, to: string) => void;

/** A world whose mail server is ours: it goes on while the product dies, and says what it sees to whoever `watch` gives it to. */
export async function worldWithOwnMailServer(): Promise<World & { watch(watch: Watch): void }> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-mails-'));
  let watching: Watch = () => {};
  const mailbox = await openMailbox(folder, (step, to) => watching(step, to));
  const closed = async () => {
    await mailbox.close();
    await rm(folder, { recursive: true, force: true });
  };
  const world = await startWorld({ env: { SMTP_URL: mailbox.smtp_url } }).catch(async (reason: unknown) => {
    await closed();
    throw reason;
  });
  return {
    ...world,
    mailbox: mailbox.list,
    watch(watch) {
      watching = watch;
    },
    async close() {
      await world.close();
      await closed();
    },
  };
}
