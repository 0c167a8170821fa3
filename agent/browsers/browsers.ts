import type { BrowserPolicyStore } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { messages } from '../ui/messages/messages.ts';
import { type BrowserPolicyRecord, reconcile } from './reconcile.ts';

const CHECK_MS = 60 * 60_000;

export interface BrowserPoliciesDeps {
  store: BrowserPolicyStore;
  record: BrowserPolicyRecord;
  /** Does the signed policy want them, and is protection in force? */
  isWanted: () => boolean;
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
  const { store, record, isWanted, isUninstalling, log } = deps;
  let problem: string | null = null;
  let wasWanted: boolean | null = null;
  let closing = false;
  let work: Promise<void> = Promise.resolve();
  const apply = async (wanted: boolean) => {
    const { failures, ours } = await reconcile(store, record, wanted);
    const sentence = failures.length > 0 ? messages.terminal.browsersFailed(failures) : null;
    if (sentence && sentence !== problem) log(sentence);
    problem = sentence;
    if (wanted && wasWanted !== true && ours > 0) log(messages.terminal.browsersSet);
    if (!wanted && wasWanted === true) log(messages.terminal.browsersRestored);
    wasWanted = wanted;
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
      if (!closing) await apply(isWanted() && !(await isUninstalling()));
    });
  const checking = setInterval(check, deps.checkMs ?? CHECK_MS);
  return {
    changed: () => void check(),
    problems: () => (problem === null ? [] : [problem]),
    async close(restore) {
      closing = true;
      clearInterval(checking);
      await inOrder(async () => {
        if (restore || (await isUninstalling())) await apply(false);
      });
    },
  };
}
