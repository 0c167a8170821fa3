import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { StoredItem, StoredItems } from '@porchlight/server/lib/stored-items.ts';
import { type MailStep, openMailbox } from '@porchlight/simulators/mailbox/mailbox.ts';
import { startWorld, type World, type WorldOptions } from '../world.ts';

/** Called at each step of each email; may delay a recipient, or refuse with a `responseCode` error. */
export type Watch = (step: MailStep, recipient: string) => unknown;

interface OwnMailServer {
  watch(watch: Watch): void;
  smtpUrl: string;
  /** From now on nothing listens on the mail server's port, and its connections are cut. Returns a function that ends the outage. */
  outage(): Promise<() => Promise<void>>;
}

export type WorldWithOwnMailServer = World & OwnMailServer;

/** Starts the product with a mail server that survives kills of the product and reports each step to `watch`. */
export async function worldWithOwnMailServer(options: WorldOptions = {}): Promise<WorldWithOwnMailServer> {
  let currentWatch: Watch = () => {};
  const mailbox = await openMailbox(inMemory(), (step, recipient) => currentWatch(step, recipient));
  const front = await listeningFront(Number(new URL(mailbox.smtp_url).port));
  const smtpUrl = `smtp://127.0.0.1:${front.port}`;
  const closeBoth = async () => {
    await front.close();
    await mailbox.close();
  };
  const world = await startWorld({ ...options, env: { ...options.env, SMTP_URL: smtpUrl } }).catch(async (reason: unknown) => {
    await closeBoth();
    throw reason;
  });
  return {
    ...world,
    smtpUrl,
    mailbox: mailbox.list,
    watch(watch) {
      currentWatch = watch;
    },
    async outage() {
      await front.close();
      return front.listen;
    },
    async close() {
      await world.close();
      await closeBoth();
    },
  };
}

/** Hands connections on to the port, and can end and listen again, which the mail server itself cannot. */
async function listeningFront(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const mailServer = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, mailServer],
      [mailServer, socket],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listenOn = (frontPort: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(frontPort, '127.0.0.1', () => resolve());
    });
  await listenOn(0);
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    port: ownPort,
    listen: () => listenOn(ownPort),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
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
