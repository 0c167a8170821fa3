import { handOverOf } from '../../lib/deep-link.ts';
import { handOver, type NotTaken } from '../../lib/hand-over.ts';
import { messages } from './messages.ts';
import { askForWindow, type SocketPaths } from './show-window-socket.ts';

export interface OpenDeps {
  sockets: SocketPaths[];
  loopback_port: number;
  /** Whether the command was typed in a checkout, where `npm start` and `npm run agent` start the agent. */
  byNpm: boolean;
  print: (sentence: string) => Promise<void>;
}

/**
 * `--open LINK` hands a clicked link to the agent, with the same checks as for the dashboard; `--window`, or `--open` without a link, opens
 * the window; `--need-help` is *I need help now*. Returns the exit code; null without any of them.
 */
export async function openCommand(
  [name, value = '']: string[],
  { sockets, loopback_port, byNpm, print }: OpenDeps,
): Promise<number | null> {
  if (name !== '--window' && name !== '--open' && name !== '--need-help') return null;
  const link = name === '--open' ? handOverOf(value) : null;
  if (link) {
    const refusal = await handOver(link, loopback_port);
    // The user must consent: the agent has opened the window with the question.
    if (refusal?.code === 'pin_needed' || refusal?.code === 'asked') return 0;
    if (refusal) {
      await print(reason(refusal));
      return 1;
    }
  }
  if (await askForWindow(sockets.map((paths) => (name === '--need-help' ? paths.help : paths.window)))) {
    if (byNpm) await print(messages.handedOver);
    return 0;
  }
  await print(byNpm ? messages.notStarted : messages.notRunning);
  return 1;
}

function reason({ status, error = messages.notOurs }: NotTaken): string {
  if (status === null) return messages.notRunning;
  return status === 403 ? messages.notOurs : error;
}
