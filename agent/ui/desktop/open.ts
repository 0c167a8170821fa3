import { handOverOf } from '../../lib/deep-link.ts';
import { handOver, type NotTaken } from '../../lib/hand-over.ts';
import { messages } from './messages.ts';
import { askForWindow } from './show-window-socket.ts';

export interface OpenDeps {
  /** Where the agent may be, the most likely place first. */
  doors: string[];
  loopback_port: number;
  /** To the person who clicked: a sentence. */
  print: (sentence: string) => Promise<void>;
}

/**
 * What the menu and a `porchlight://` link start, as the person who clicked. `--window`, or `--open` with anything that is no link to an account: the agent
 * shows its window. `--open LINK`: the link goes to the agent as from the dashboard, through every check of the loopback call; then the window shows what
 * became of it. The code to exit with; null when neither was asked for.
 */
export async function openCommand([name, value = '']: string[], { doors, loopback_port, print }: OpenDeps): Promise<number | null> {
  if (name !== '--window' && name !== '--open') return null;
  const link = name === '--open' ? handOverOf(value) : null;
  if (link) {
    const refused = await handOver(link, loopback_port);
    // The agent has opened the page that asks for it.
    if (refused?.code === 'pin_needed' || refused?.code === 'asked') return 0;
    if (refused) {
      await print(reason(refused));
      return 1;
    }
  }
  if (await askForWindow(doors)) return 0;
  await print(messages.notRunning);
  return 1;
}

function reason({ status, error = messages.notOurs }: NotTaken): string {
  if (status === null) return messages.notRunning;
  return status === 403 ? messages.notOurs : error;
}
