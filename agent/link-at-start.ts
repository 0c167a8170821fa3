import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from './agent.ts';
import type { Options } from './options.ts';
import { Refused } from './sync/call.ts';

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
  return err instanceof TypeError || (err instanceof Error && err.name === 'TimeoutError');
}
