import type { Os } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { messages } from './messages/messages.ts';

export interface ShowWindowDeps {
  os: Pick<Os, 'openWindow'>;
  newUrl: (port: number, page?: '' | 'help') => string;
  port: () => number | null;
  log: Log;
}

/** Opens the window in the user's browser; without a screen the address is logged. */
export function windowOpener({ os, newUrl, port, log }: ShowWindowDeps): (page?: '' | 'help') => void {
  return (page = '') => {
    const openPort = port();
    if (openPort === null) return;
    const url = newUrl(openPort, page);
    void Promise.resolve(os.openWindow(url))
      .catch(() => false)
      .then((shown) => shown || log(messages.terminal.window(url)));
  };
}
