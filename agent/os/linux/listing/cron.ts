import { join } from 'node:path';
import type { FoundListing } from '../../port.ts';
import { pathsIn, textOf } from './read.ts';

/** Lines of crontab(5). In the tables of the system a name stands before the command, in those of a person none. */
export async function cron(root: string): Promise<FoundListing['start_up']> {
  const ofSystem = [join(root, 'etc/crontab'), ...(await pathsIn(join(root, 'etc/cron.d'), ''))];
  const ofPeople = [...(await pathsIn(join(root, 'var/spool/cron/crontabs'), '')), ...(await pathsIn(join(root, 'var/spool/cron'), ''))];
  const read = async (file: string, named: boolean) => {
    const text = (await textOf(file)) ?? '';
    return text.split('\n').flatMap((line) => {
      const command = cronCommand(line, named);
      return command ? [{ name: command.slice(0, 200), command, place: { file, line } }] : [];
    });
  };
  const all = await Promise.all([...ofSystem.map((file) => read(file, true)), ...ofPeople.map((file) => read(file, false))]);
  return all.flat();
}

/** The command of one line, null when it has none. `named`: with the name of who runs it. */
export function cronCommand(line: string, named: boolean): string | null {
  const when = String.raw`^\s*(?:@\w+\s+|(?:[\d*][^\s#=]*\s+){3}(?:[\d*a-zA-Z][^\s=]*\s+){2})`;
  const found = new RegExp(`${when}${named ? String.raw`\S+\s+` : ''}(\\S.*)$`).exec(line);
  return found?.[1]?.trim() ?? null;
}
