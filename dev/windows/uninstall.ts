import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { commandLines, isRoot } from './here.ts';
import type { Until } from './page.ts';
import type { Scene } from './scene.ts';

const pinFile = 'users\\Public\\pin.txt';

export type UninstallArgs = [typedPin: string, isDone: () => Promise<boolean>, nameServer?: string];

/**
 * Uninstalls with this PIN, which must not appear in any command line. The uninstaller continues as a copy of itself, so only its effect
 * shows when it is done.
 */
export async function uninstallWith({ onC, wine }: Scene, until: Until, ...[typedPin, isDone, nameServer]: UninstallArgs): Promise<void> {
  await writeFile(onC(pinFile), `${typedPin}\r\n`);
  const command = ['C:\\Program Files\\Porchlight\\uninstall.exe', '/S', `/PINFILE=C:\\${pinFile}`] as const;
  const uninstallRun = nameServer && isRoot ? wine.runWithDns(nameServer, ...command) : wine.run(...command);
  await until('its effect', async () => {
    expect(await commandLines()).not.toMatch(new RegExp(`(?<!\\d)${typedPin}(?!\\d)`));
    return isDone();
  });
  await uninstallRun;
  expect(existsSync(onC(pinFile))).toBe(false);
}
