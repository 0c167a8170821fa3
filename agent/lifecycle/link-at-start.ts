import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '../agent.ts';
import { isOtherProtocol, isTransient } from '../api/call.ts';
import { LinkRefused } from '../api/enrol.ts';
import { codeInFile } from '../cli/code-file.ts';
import type { Options } from '../cli/options.ts';
import type { Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';

export interface Asked {
  options: Options;
  store: Pick<Store, 'identity'>;
  codeFromInstaller: string | null;
  isRestart: boolean;
  print: (sentence: string) => void;
}

/**
 * The installer's code, for an unlinked computer. Read before the start, because a computer that waits for its code has not chosen the free
 * plan, so its first link needs no consent.
 */
export async function installerCode(store: Asked['store'], code_file: string | undefined): Promise<string | null> {
  return code_file && !(await store.identity()) ? codeInFile(code_file) : null;
}

/** After a restart a computer that was linked before is not linked again, because a code works once. */
export async function linkFromOptions(agent: Agent, { options, store, codeFromInstaller, isRestart, print }: Asked): Promise<void> {
  const linked = (await store.identity()) !== null;
  if (codeFromInstaller && !linked) await linkAtStart(agent, withInstallerCode(options, codeFromInstaller), print);
  // Something else linked this computer during the start.
  else if (codeFromInstaller) await agent.startLinkSettled();
  else if (!linked || !isRestart) await linkAtStart(agent, options, print);
}

export const withInstallerCode = (options: Options, codeFromInstaller: string | null): Options =>
  codeFromInstaller ? { code: codeFromInstaller, free: true } : options;

export async function linkAtStart(agent: Agent, options: Options, print: (sentence: string) => void): Promise<void> {
  if (!options || !('code' in options || 'link' in options)) return;
  const needsUserAnswer = (err: unknown) => err instanceof LinkRefused && (err.code === 'asked' || err.code === 'pin_needed');
  for (let isLogged = false; ; await sleep(1000)) {
    try {
      await ('code' in options ? agent.link.byCode(options.code) : agent.link.byLink(options.link));
      return agent.startLinkSettled();
    } catch (err) {
      if (needsUserAnswer(err)) {
        print(messages.terminal.asked);
        return agent.showWindow();
      }
      if (!isTransient(err)) {
        await agent.startLinkSettled();
        if (!('free' in options)) throw err;
        print(`${err instanceof Error ? err.message : String(err)} The free plan protects this computer meanwhile.`);
        return;
      }
      if (!isLogged) print(isOtherProtocol(err) ? err.message : 'The server cannot be reached yet. Trying again until it can.');
      isLogged = true;
    }
  }
}
