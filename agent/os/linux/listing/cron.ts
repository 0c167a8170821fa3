import { join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import { listPaths, readText } from './read.ts';

/** crontab(5): only system tables have a user name before the command. */
export async function listCronEntries(root: string): Promise<FoundListing['start_up']> {
  const systemTables = [join(root, 'etc/crontab'), ...(await listPaths(join(root, 'etc/cron.d'), ''))];
  const userTables = [
    ...(await listPaths(join(root, 'var/spool/cron/crontabs'), '')),
    ...(await listPaths(join(root, 'var/spool/cron'), '')),
  ];
  const readTable = async (file: string, hasUserName: boolean) => {
    const text = (await readText(file)) ?? '';
    return text.split('\n').flatMap((line) => {
      const command = cronCommand(line, hasUserName);
      return command ? [{ name: command.slice(0, 200), command, place: { file, line } }] : [];
    });
  };
  const entryLists = await Promise.all([
    ...systemTables.map((file) => readTable(file, true)),
    ...userTables.map((file) => readTable(file, false)),
  ]);
  return entryLists.flat();
}

/** `hasUserName`: the line contains a user name. */
export function cronCommand(line: string, hasUserName: boolean): string | null {
  const schedulePattern = String.raw`^\s*(?:@\w+\s+|(?:[\d*][^\s#=]*\s+){3}(?:[\d*a-zA-Z][^\s=]*\s+){2})`;
  const match = new RegExp(`${schedulePattern}${hasUserName ? String.raw`\S+\s+` : ''}(\\S.*)$`).exec(line);
  return match?.[1]?.trim() ?? null;
}
