import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '../agent.ts';
import { mayPass } from '../api/call.ts';
import { LinkRefused } from '../api/enrol.ts';
import { codeInFile } from '../cli/code-file.ts';
import type { Options } from '../cli/options.ts';
import type { Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';

export interface Asked {
  options: Options;
  store: Pick<Store, 'identity'>;
  /** The code that an installer left, read before the agent started. */
  left: string | null;
  /** The supervisor restarted the agent with the same command line. */
  again: boolean;
  print: (sentence: string) => void;
}

/**
 * The code that an installer left in this file, for a computer that is no device. It is read before the agent starts: a computer that waits for its
 * code has not chosen the free plan, and its first link acts at once.
 */
export async function installerCode(store: Asked['store'], code_file: string | undefined): Promise<string | null> {
  return code_file && !(await store.identity()) ? codeInFile(code_file) : null;
}

/** A code is good once: a computer that was linked before is not linked again by a restart. */
export async function linkFromOptions(agent: Agent, { options, store, left, again, print }: Asked): Promise<void> {
  const linked = (await store.identity()) !== null;
  if (left && !linked) await linkAtStart(agent, withInstallerCode(options, left), print);
  // This computer was linked by other means during the start.
  else if (left) await agent.settled();
  else if (!linked || !again) await linkAtStart(agent, options, print);
}

/** A code that an installer left has priority over the command line. */
export const withInstallerCode = (options: Options, left: string | null): Options => (left ? { code: left, free: true } : options);

/** Links by the code or link of the command line; the agent waits for a server that does not answer, and a refusal is final. */
export async function linkAtStart(agent: Agent, options: Options, print: (sentence: string) => void): Promise<void> {
  if (!options || !('code' in options || 'link' in options)) return;
  const isAsked = (err: unknown) => err instanceof LinkRefused && (err.code === 'asked' || err.code === 'pin_needed');
  for (let told = false; ; await sleep(1000)) {
    try {
      await ('code' in options ? agent.link.byCode(options.code) : agent.link.byLink(options.link));
      return agent.settled();
    } catch (err) {
      if (isAsked(err)) {
        print(messages.terminal.asked);
        return agent.showWindow();
      }
      if (!mayPass(err)) {
        await agent.settled();
        if (!('free' in options)) throw err;
        // A computer whose code is refused is protected nevertheless.
        print(`${err instanceof Error ? err.message : String(err)} The free plan protects this computer meanwhile.`);
        return;
      }
      if (!told) print('The server cannot be reached yet. Trying again until it can.');
      told = true;
    }
  }
}
