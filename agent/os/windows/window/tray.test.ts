import { expect, it } from 'vitest';
import type { Desktop } from '../native/desktop.ts';
import { openTray } from './tray.ts';

/** A desktop whose menu returns `choice`; `send` is an event of the icon. */
function fakeDesktop(choice: number) {
  const choices: [number, string][] = [];
  let destroyed = 0;
  let procedure: (window: bigint, message: number, w: bigint, l: bigint) => unknown = () => 0;
  const desktop = {
    procedureOf: (callback: typeof procedure) => {
      procedure = callback;
      return 0;
    },
    ...{ register: () => 1, create: () => 7, loadIcon: () => 9, tray: () => 1, peek: () => 0, dispatch: () => 0, byDefault: () => 5 },
    ...{ createMenu: () => 11, cursor: () => 1, toFront: () => 1 },
    addChoice: (_menu: number, _flags: number, id: number, text: string) => choices.push([id, text]),
    choose: () => choice,
    destroyMenu: () => destroyed++,
  } as unknown as Desktop;
  return {
    desktop,
    choices,
    destroyed: () => destroyed,
    send: (event: number, message = 0x8001) => procedure(7n, message, 0n, BigInt(event)),
  };
}

it.each([
  ['nothing', 0, []],
  ['the window', 1, ['open']],
  ['help', 2, ['help']],
])('[P9.5] a right click on the icon shows a menu; after choosing %s only that happens', (_what, choice, expected) => {
  const { desktop, choices, destroyed, send } = fakeDesktop(choice);
  const requested: string[] = [];
  const tray = openTray(desktop, { open: () => void requested.push('open'), help: () => void requested.push('help') });
  send(0x0205);
  expect(choices).toEqual([
    [1, 'Open Porchlight'],
    [2, 'I need help now'],
  ]);
  expect([requested, destroyed()]).toEqual([expected, 1]);
  expect(send(0x0205, 0x0010)).toBe(5);
  expect(requested).toEqual(expected);
  send(0x0202);
  expect(requested).toEqual([...expected, 'open']);
  tray.close();
});
