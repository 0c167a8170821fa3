import type { Os } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { messages } from './messages/messages.ts';

export interface ShowWindowDeps {
  os: Pick<Os, 'openWindow'>;
  /** A new address of the window, which opens it once. */
  newUrl: (port: number) => string;
  /** The port that answers for the window; null while none does. */
  port: () => number | null;
  log: Log;
}

/** Opens the window in the user's browser, or logs its address where there is no screen. */
export function windowOpener({ os, newUrl, port, log }: ShowWindowDeps): () => void {
  return () => {
    const at = port();
    if (at === null) return;
    const url = newUrl(at);
    void Promise.resolve(os.openWindow(url))
      .catch(() => false)
      .then((shown) => shown || log(messages.terminal.window(url)));
  };
}
