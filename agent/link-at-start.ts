import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from './agent.ts';
import { codeInFile, forgetCode } from './code-file.ts';
import { Unreachable } from './lib/http.ts';
import type { Options } from './options.ts';
import type { Store } from './state/store.ts';
import { Refused } from './sync/call.ts';

export interface Asked {
  options: Options;
  store: Pick<Store, 'identity'>;
  /** Where an installer may have left a code. */
  code_file: string | undefined;
  /** It ran before with the same command line. */
  again: boolean;
  say: (sentence: string) => void;
}

/** A code is good once: whoever was linked before is not linked again when it is started again. */
export async function linkAsAsked(agent: Agent, { options, store, code_file, again, say }: Asked): Promise<void> {
  const linked = (await store.identity()) !== null;
  const left = code_file && !linked ? await codeInFile(code_file) : null;
  if (left) await linkAtStart(agent, { code: left, free: true }, say);
  else if (!linked || !again) await linkAtStart(agent, options, say);
  if (code_file) await forgetCode(code_file);
}

/** The code or link of the command line; a server that does not answer yet is waited for, a refusal is final. */
export async function linkAtStart(agent: Agent, options: Options, say: (sentence: string) => void): Promise<void> {
  if (!options || !('code' in options || 'link' in options)) return;
  for (let told = false; ; await sleep(1000)) {
    try {
      await ('code' in options ? agent.link.byCode(options.code, options.pin) : agent.link.byLink(options.link, options.pin));
      return;
    } catch (err) {
      if (!mayPass(err)) {
        if (!('free' in options)) throw err;
        // Whoever has just installed it is protected all the same.
        say(`${err instanceof Error ? err.message : String(err)} The free plan protects this computer meanwhile.`);
        return;
      }
      if (!told) say('The server cannot be reached yet. Trying again until it can.');
      told = true;
    }
  }
}

/** No answer, no answer in time, or one that says that the server is in trouble: that may pass. */
function mayPass(err: unknown): boolean {
  if (err instanceof Refused) return err.status >= 500 || err.status === 429;
  return err instanceof Unreachable || (err instanceof Error && err.name === 'TimeoutError');
}
