// A program on the computer of an isolation trial: opens connections when asked by its parent, and watches some of them all the time.
import { Resolver } from 'node:dns/promises';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Probe =
  | { kind: 'connect'; host: string; port: number }
  | { kind: 'lookup'; server: string }
  /** Opens a connection that stays open. */
  | { kind: 'open'; host: string; port: number }
  /** Whether an answer comes over that connection. */
  | { kind: 'echo' }
  /** Connects again and again. */
  | { kind: 'watch'; name: string; host: string; port: number }
  | { kind: 'watched' };

const ANSWER_MS = 400;
const WATCH_MS = 25;
export const inboundPort = 9000;

const watched: Record<string, { attempts: number; failures: string[] }> = {};
let opened: Socket | null = null;

const connects = (host: string, port: number, within: number) =>
  new Promise<string>((resolve) => {
    const socket = connect({ host, port, timeout: within });
    const end = (result: string) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end('yes'));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', (err) => end(err.message));
  });

async function watch({ name, host, port }: Extract<Probe, { kind: 'watch' }>): Promise<never> {
  const seen = { attempts: 0, failures: [] as string[] };
  watched[name] = seen;
  for (;;) {
    seen.attempts++;
    // A busy computer answers late, but a packet that was dropped is sent again only after a second.
    const result = await connects(host, port, 900);
    if (result !== 'yes') seen.failures.push(result);
    await sleep(WATCH_MS);
  }
}

const answers = {
  connect: async ({ host, port }: Extract<Probe, { kind: 'connect' }>) => (await connects(host, port, ANSWER_MS)) === 'yes',
  async lookup({ server }: Extract<Probe, { kind: 'lookup' }>) {
    const resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });
    resolver.setServers([server]);
    return resolver.resolve4('any.example').then(
      () => true,
      () => false,
    );
  },
  async open({ host, port }: Extract<Probe, { kind: 'open' }>) {
    opened?.destroy();
    opened = connect(port, host);
    opened.on('error', () => {});
    await new Promise((resolve) => opened?.once('connect', resolve));
    return true;
  },
  echo: () =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ANSWER_MS, false);
      opened?.once('data', () => {
        clearTimeout(timer);
        resolve(true);
      });
      opened?.write('x');
    }),
  async watch(probe: Extract<Probe, { kind: 'watch' }>) {
    void watch(probe);
    return true;
  },
  watched: async () => watched,
} as { [K in Probe['kind']]: (probe: Probe) => Promise<unknown> };

createServer((socket) => void socket.on('error', () => {})).listen(inboundPort, '0.0.0.0', () =>
  process.send?.({ id: 0, answer: 'ready' }),
);
process.on('message', async ({ id, probe }: { id: number; probe: Probe }) => {
  process.send?.({ id, answer: await answers[probe.kind](probe) });
});
process.once('disconnect', () => process.exit());
