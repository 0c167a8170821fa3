import type { ToFilter } from './dns-filter/protocol.ts';
import { filterService } from './dns-filter/service.ts';
import { memoryRelease } from './lib/free-memory.ts';
import { loadOs } from './os/select.ts';

/**
 * The DNS filter runs in its own process, so that a crash does not affect the agent, which restarts it. When the agent dies, this process
 * restores the DNS settings (P4.7) and ends.
 */
const system = process.argv.includes('--system') ? loadOs(process.env) : null;
const service = filterService((message) => {
  // The agent may be gone although its channel is not closed yet. An error that nobody handles would end this process before it has restored
  // the DNS settings.
  if (process.connected) process.send?.(message, undefined, {}, () => {});
});
const memory = memoryRelease();
process.on('message', (message: ToFilter) => {
  service.take(message);
  if (message.kind === 'definitions') memory.soon();
});
process.once('disconnect', () => {
  const restored = Promise.resolve(system).then((os) => os?.resolver().restore());
  // SIGKILL, because a blocked native thread would delay any other exit.
  void restored.catch(() => {}).finally(() => process.kill(process.pid, 'SIGKILL'));
});
// Only the agent ends this process: Ctrl-C must not stop it before the agent has restored the DNS settings.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.on(signal, () => {});
