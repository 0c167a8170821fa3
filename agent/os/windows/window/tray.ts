import { messages } from '../messages.ts';
import type { Desktop } from '../native/desktop.ts';
import { trayData } from './tray-data.ts';

const name = 'PorchlightTray';
const [add, modify, remove] = [0, 1, 2];
/** A message of our own, and what it says of the mouse. */
const trayMessage = 0x8001;
const clicks = [0x0202, 0x0405];
const standardIcon = 32_512;
/** How often it is looked for messages of Windows; a click is answered at most this late. Milliseconds. */
const POLL_MS = 100;

export interface Tray {
  balloon(): void;
  close(): void;
}

/** Our sign beside the clock. `clicked`: on it, or on its balloon. */
export function openTray(desktop: Desktop, clicked: () => void): Tray {
  const procedure = desktop.procedureOf((window, message, w, l) => {
    if (message !== trayMessage) return desktop.byDefault(window, message, w, l);
    if (clicks.includes(Number(l) & 0xffff)) clicked();
    return 0;
  });
  const zero = { style: 0, classExtra: 0, windowExtra: 0, instance: 0, icon: 0, cursor: 0, brush: 0, menu: null };
  desktop.register({ ...zero, procedure, name });
  const window = desktop.create(0, name, name, 0, 0, 0, 0, 0, 0, 0, 0, null);
  const icon = desktop.loadIcon(0, standardIcon);
  const show = (what: number, balloon?: { title: string; text: string }) =>
    desktop.tray(what, trayData({ window, icon, message: trayMessage, tip: messages.tip, ...(balloon ? { balloon } : {}) }));
  show(add);
  const message = Buffer.alloc(48);
  const timer = setInterval(() => {
    while (desktop.peek(message, 0, 0, 0, 1)) desktop.dispatch(message);
  }, POLL_MS);
  return {
    balloon: () => void show(modify, messages.balloon),
    close() {
      clearInterval(timer);
      show(remove);
    },
  };
}
