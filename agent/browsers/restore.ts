import type { BrowserPolicyStore } from '../os/port.ts';
import { messages } from '../ui/messages/messages.ts';
import { type BrowserPolicyRecord, reconcile } from './reconcile.ts';

/** Without state of an agent, only what its name says is ours is removed. */
export const noRecord: BrowserPolicyRecord = { load: async () => ({ policies: [], containers: [] }), save: async () => {} };

/** For an uninstall, also while no agent runs. Never throws: returns sentences about what is left, which must not prevent the uninstall. */
export async function restoreBrowserPolicies(store: BrowserPolicyStore, record: BrowserPolicyRecord): Promise<string[]> {
  const failures = await reconcile(store, record, 'none').then(
    (done) => done.failures,
    (err: unknown) => [err instanceof Error ? err.message : String(err)],
  );
  return failures.length > 0 ? [messages.terminal.browsersFailed(failures)] : [];
}
