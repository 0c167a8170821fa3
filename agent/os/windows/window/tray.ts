import { messages } from '../messages.ts';
import type { Desktop } from '../native/desktop.ts';
import { trayData } from './tray-data.ts';

const className = 'PorchlightTray';
const [addAction, modifyAction, removeAction] = [0, 1, 2];
/** The icon's window message, and its click events. */
const trayMessage = 0x8001;
const clickEvents = [0x0202, 0x0405];
const standardIcon = 32_512;
/** Polling interval for window messages. */
const POLL_MS = 100;

export interface Tray {
  balloon(): void;
  close(): void;
}

/** The tray icon. `onClick`: for clicks on the icon or its balloon. */
export function openTray(desktop: Desktop, onClick: () => void): Tray {
  const procedure = desktop.procedureOf((window, message, w, l) => {
    if (message !== trayMessage) return desktop.byDefault(window, message, w, l);
    if (clickEvents.includes(Number(l) & 0xffff)) onClick();
    return 0;
  });
  const emptyClass = { style: 0, classExtra: 0, windowExtra: 0, instance: 0, icon: 0, cursor: 0, brush: 0, menu: null };
  desktop.register({ ...emptyClass, procedure, name: className });
  const window = desktop.create(0, className, className, 0, 0, 0, 0, 0, 0, 0, 0, null);
  const icon = desktop.loadIcon(0, standardIcon);
  const updateIcon = (action: number, balloon?: { title: string; text: string }) =>
    desktop.tray(action, trayData({ window, icon, message: trayMessage, tip: messages.tip, ...(balloon ? { balloon } : {}) }));
  updateIcon(addAction);
  const message = Buffer.alloc(48);
  const timer = setInterval(() => {
    while (desktop.peek(message, 0, 0, 0, 1)) desktop.dispatch(message);
  }, POLL_MS);
  return {
    balloon: () => void updateIcon(modifyAction, messages.balloon),
    close() {
      clearInterval(timer);
      updateIcon(removeAction);
    },
  };
}
