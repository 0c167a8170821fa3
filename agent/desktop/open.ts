import { handOverOf } from '../lib/deep-link.ts';
import { knock } from './door.ts';
import { words } from './words.ts';

export interface OpenParts {
  /** Where the agent may be, the most likely place first. */
  doors: string[];
  loopback_port: number;
  /** To the person who clicked: a sentence. */
  say: (sentence: string) => Promise<void>;
}

/**
 * What the menu and a `porchlight://` link start, as the person who clicked. `--window`, or `--open` with anything that is no link to an account: the agent
 * shows its window. `--open LINK`: the link goes to the agent as from the dashboard, through every check of the loopback call; then the window shows what
 * became of it. The code to exit with; null when neither was asked for.
 */
export async function openCommand([name, value = '']: string[], { doors, loopback_port, say }: OpenParts): Promise<number | null> {
  if (name !== '--window' && name !== '--open') return null;
  const link = name === '--open' ? handOverOf(value) : null;
  if (link) {
    const refused = await handOver(link, loopback_port);
    // The agent has opened the page that asks for it.
    if (refused?.code === 'pin_needed') return 0;
    if (refused) {
      await say(refused.error);
      return 1;
    }
  }
  if (await knock(doors)) return 0;
  await say(words.notRunning);
  return 1;
}

/** Null when it was taken, else why not. */
async function handOver(
  { uri, signature, origin }: { uri: string; signature: string; origin: string },
  port: number,
): Promise<{ error: string; code: string } | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/uri`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ uri, signature }),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null);
  if (!answer) return { error: words.notRunning, code: 'not_running' };
  if (answer.ok) return null;
  const { error = words.notOurs, code = 'refused' } = (await answer.json().catch(() => ({}))) as { error?: string; code?: string };
  return { error: answer.status === 403 ? words.notOurs : error, code };
}
