import type { ToFilter } from './dns-filter/protocol.ts';
import { filterService } from './dns-filter/service.ts';
import { givingBack } from './lib/give-back.ts';
import { batchedUdp } from './os/linux/batched-udp.ts';
import { giveBack } from './os/linux/give-back.ts';
import { systemHere } from './os/select.ts';

/**
 * The DNS filter's process, apart from the agent: a crash here does not break the agent, which starts it again and tells it what to do. When the
 * agent dies, the resolver is restored (P4.7) and this process ends.
 */
const system = process.argv.includes('--system') ? systemHere(process.env) : null;
const service = filterService(
  (message) => {
    if (process.connected) process.send?.(message);
  },
  process.platform === 'linux' ? batchedUdp : undefined,
);
const memory = givingBack(process.platform === 'linux' ? giveBack : undefined);
process.on('message', (message: ToFilter) => {
  service.take(message);
  if (message.kind === 'definitions') memory.soon();
});
process.once('disconnect', () => {
  const restored = Promise.resolve(system).then((os) => os?.resolver().restore());
  // A thread that waits for the next query would delay any other end.
  void restored.catch(() => {}).finally(() => process.kill(process.pid, 'SIGKILL'));
});
// The agent decides when this process ends: a signal for the whole group (Ctrl-C) must not stop DNS before the agent has restored the resolver.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
