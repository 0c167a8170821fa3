import type { SettingName } from '../../settings/known.ts';

/** `unknown`: the check could not find out, and the text says why. */
export type State = 'ok' | 'warning' | 'error' | 'unknown';

export interface Finding {
  state: State;
  /** What is wrong and what to do, in sentences. */
  text: string;
}

export interface Check {
  /** For programs that read `--json`; never changes. */
  id: string;
  /** The settings that the check needs: it does not run when one of them is wrong or missing. */
  needs?: SettingName[];
  /** The check begins once this promise has resolved; waiting for it does not count as the check's time. It never rejects. */
  after?: Promise<unknown>;
  /** The state after no answer in time; `error` where left out. `unknown`: another check reports the reason. */
  late?: State;
  /** `signal` aborts when the time is over. An error becomes a finding. */
  run(signal: AbortSignal): Finding | Finding[] | Promise<Finding | Finding[]>;
}

const finding = (state: State) => (text: string) => ({ state, text }) satisfies Finding;
export const ok = finding('ok');
export const warning = finding('warning');
export const error = finding('error');
export const unknown = finding('unknown');

/** The message of any error, and never an empty text. */
export function reasonOf(err: unknown): string {
  const { message, code, cause } = err as { message?: string; code?: string; cause?: { code?: string; message?: string } };
  // `fetch` says only "fetch failed" and has the reason in `cause`; an error of several addresses has a code and no message.
  return cause?.code ?? cause?.message ?? (message || code || String(err));
}
