import type { ToFilter } from './dns-filter/protocol.ts';
import { filterService } from './dns-filter/service.ts';
import { givingBack } from './lib/give-back.ts';
import { batchedUdp } from './os/linux/batched-udp.ts';
import { giveBack } from './os/linux/give-back.ts';
import { systemHere } from './os/select.ts';

/**
 * The process that answers names, apart from the agent: what breaks here does not break the agent, and the agent starts it again. It is
 * told what to do by the agent. When the agent is gone without a word, names are looked up as before (P4.7), and this process ends.
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
  // A thread that waits for the next question would hold up any other end.
  void restored.catch(() => {}).finally(() => process.kill(process.pid, 'SIGKILL'));
});
// The agent decides when this ends: a signal for the whole group (Ctrl-C) must not take the names away before it has put them back.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
