import type { SystemNetwork } from '../os/port.ts';
import { messages } from './messages.ts';

/** For an uninstall, also while no agent runs. Never throws: returns sentences about what is left, which the system itself ends. */
export async function restoreNetwork(network: SystemNetwork): Promise<string[]> {
  return network.restore().then(
    () => [],
    (err: unknown) => [messages.notRestored(err instanceof Error ? err.message : String(err))],
  );
}
