import type { BrowserPolicyStore } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { messages } from '../ui/messages/messages.ts';
import { type BrowserPolicyRecord, reconcile } from './reconcile.ts';
import type { Wanted } from './wanted.ts';

const CHECK_MS = 60 * 60_000;

export interface BrowserPoliciesDeps {
  store: BrowserPolicyStore;
  record: BrowserPolicyRecord;
  /** What the signed policy wants, while protection is in force. */
  wanted: () => Wanted;
  /** During an uninstall the policies are restored and not set again. */
  isUninstalling: () => Promise<boolean>;
  /** Milliseconds between checks of policies that others may have changed. */
  checkMs?: number;
  log: Log;
}

export interface BrowserPolicies {
  changed(): void;
  problems(): string[];
  /** `restore`: browsers read policies when they start, so an installed agent that only stops leaves them. */
  close(restore: boolean): Promise<void>;
}

/** Sets the policies of this computer's browsers while the account wants it (P12.2). */
export function browserPolicies(deps: BrowserPoliciesDeps): BrowserPolicies {
  const { store, record, isUninstalling, log } = deps;
  let problem: string | null = null;
  let before: Wanted | null = null;
  let closing = false;
  let work: Promise<void> = Promise.resolve();
  const apply = async (wanted: Wanted) => {
    const { failures, ours } = await reconcile(store, record, wanted);
    const sentence = failures.length > 0 ? messages.terminal.browsersFailed(failures) : null;
    if (sentence && sentence !== problem) log(sentence);
    problem = sentence;
    const wasSet = before !== null && before !== 'none';
    if (wanted !== 'none' && !wasSet && ours > 0) log(messages.terminal.browsersSet);
    if (wanted === 'none' && wasSet) log(messages.terminal.browsersRestored);
    before = wanted;
  };
  const inOrder = (step: () => Promise<void>) => {
    work = work.then(step).catch((err: unknown) => {
      problem = messages.terminal.browsersFailed([err instanceof Error ? err.message : String(err)]);
      log(problem);
    });
    return work;
  };
  const check = () =>
    inOrder(async () => {
      if (!closing) await apply((await isUninstalling()) ? 'none' : deps.wanted());
    });
  const checking = setInterval(check, deps.checkMs ?? CHECK_MS);
  return {
    changed: () => void check(),
    problems: () => (problem === null ? [] : [problem]),
    async close(restore) {
      closing = true;
      clearInterval(checking);
      await inOrder(async () => {
        if (restore || (await isUninstalling())) await apply('none');
      });
    },
  };
}
