import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandTable } from '@porchlight/server/cli/commands.ts';
import { settingGroups } from '@porchlight/server/settings/known.ts';
import { commandsPage } from './commands-page.ts';
import { root } from './root.ts';
import { envExample, settingsPage } from './settings-page.ts';

/** The files that are written from the source, with their text. */
export const generatedDocs = (): { file: string; text: string }[] => [
  { file: 'docs/operating/settings.md', text: settingsPage(settingGroups) },
  { file: '.env.example', text: envExample(settingGroups) },
  { file: 'docs/operating/commands.md', text: commandsPage(commandTable) },
];

/** Returns the files that differed. */
export function writeDocs(): string[] {
  const staleDocs = generatedDocs().filter(({ file, text }) => text !== currentText(file));
  for (const { file, text } of staleDocs) writeFileSync(join(root, file), text);
  return staleDocs.map(({ file }) => file);
}

/** Null without a file. */
export function currentText(file: string): string | null {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return null;
  }
}
