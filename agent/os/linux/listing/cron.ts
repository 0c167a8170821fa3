import { basename, join } from 'node:path';
import { oneByOne } from '../../../lib/one-by-one.ts';
import type { GuardUserFiles } from '../../../lib/user-file-work.ts';
import type { FoundListing } from '../../port.ts';
import { systemFiles, textFiles } from './read.ts';

/** crontab(5): only system tables have a user name before the command. */
export async function listCronEntries(root: string, guard: GuardUserFiles): Promise<FoundListing['start_up']> {
  const filesIn = (folder: string) => systemFiles.paths(join(root, folder), '');
  const systemTables = [join(root, 'etc/crontab'), ...(await filesIn('etc/cron.d'))];
  // A table of a user has the user's name.
  const userTables = [...(await filesIn('var/spool/cron/crontabs')), ...(await filesIn('var/spool/cron'))];
  const readTable = async (file: string, hasUserName: boolean) => {
    const entries = await textFiles(null, guard('cron', basename(file))).read(file, (lines) =>
      lines.flatMap((line) => {
        const command = cronCommand(line, hasUserName);
        return command ? [{ name: command.slice(0, 200), command, place: { file, line } }] : [];
      }),
    );
    return entries ?? [];
  };
  const entryLists = [
    ...(await oneByOne(systemTables, (file) => readTable(file, true))),
    ...(await oneByOne(userTables, (file) => readTable(file, false))),
  ];
  return entryLists.flat();
}

/** `hasUserName`: the line contains a user name. */
export function cronCommand(line: string, hasUserName: boolean): string | null {
  const schedulePattern = String.raw`^\s*(?:@\w+\s+|(?:[\d*][^\s#=]*\s+){3}(?:[\d*a-zA-Z][^\s=]*\s+){2})`;
  const match = new RegExp(`${schedulePattern}${hasUserName ? String.raw`\S+\s+` : ''}(\\S.*)$`).exec(line);
  return match?.[1]?.trim() ?? null;
}
