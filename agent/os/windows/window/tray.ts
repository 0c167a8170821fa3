import { messages } from '../messages.ts';
import type { Desktop } from '../native/desktop.ts';
import { trayData } from './tray-data.ts';

const className = 'PorchlightTray';
const [addAction, modifyAction, removeAction] = [0, 1, 2];
/** The icon's window message, and its events: a click on it or its balloon, and a right click. */
const trayMessage = 0x8001;
const clickEvents = [0x0202, 0x0405];
const rightClick = 0x0205;
/** The menu returns what was chosen, and sends no message. */
const returnChoice = 0x0100 | 0x0080;
const [openChoice, helpChoice] = [1, 2];
const standardIcon = 32_512;
/** Polling interval for window messages. */
const POLL_MS = 100;

export interface Tray {
  balloon(): void;
  close(): void;
}

export interface TrayRequests {
  open(): void;
  help(): void;
}

/** The tray icon: a click on it or its balloon opens the window, a right click its menu. */
export function openTray(desktop: Desktop, requests: TrayRequests): Tray {
  const showMenu = (owner: bigint) => {
    const menu = desktop.createMenu();
    desktop.addChoice(menu, 0, openChoice, messages.open);
    desktop.addChoice(menu, 0, helpChoice, messages.help);
    const at = Buffer.alloc(8);
    desktop.cursor(at);
    // Otherwise Windows leaves the menu open after a click beside it.
    desktop.toFront(owner);
    const choice = desktop.choose(menu, returnChoice, at.readInt32LE(0), at.readInt32LE(4), 0, owner, null);
    desktop.destroyMenu(menu);
    if (choice === openChoice) requests.open();
    if (choice === helpChoice) requests.help();
  };
  const procedure = desktop.procedureOf((window, message, w, l) => {
    if (message !== trayMessage) return desktop.byDefault(window, message, w, l);
    const event = Number(l) & 0xffff;
    if (clickEvents.includes(event)) requests.open();
    if (event === rightClick) showMenu(window);
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
