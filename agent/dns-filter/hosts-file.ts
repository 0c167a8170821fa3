import { hasMarked, withMarkedFirst, withoutMarked } from '../lib/marked-lines.ts';
import { replaceFile, textOf } from '../lib/replace-file.ts';

/** A hosts file is read line by line at each lookup: more names would slow everything down. */
export const HOSTS_MAX = 2000;

/** Lines that give these names and their `www.` no address. Subdomains cannot be named here. */
export function hostsLines(names: string[]): string[] {
  const all = [...new Set(names.flatMap((name) => (name.startsWith('www.') ? [name] : [name, `www.${name}`])))].slice(0, HOSTS_MAX);
  return all.flatMap((name) => [`0.0.0.0 ${name}`, `:: ${name}`]);
}

/** Our lines in the hosts file, which block the best known sites where the DNS filter cannot listen. */
export function hostsFile(path: string) {
  return {
    /** Replaces the names written before. */
    async write(names: string[]): Promise<void> {
      const text = await textOf(path);
      const next = withMarkedFirst(text, hostsLines(names));
      if (next !== text) await replaceFile(path, next);
    },
    async restore(): Promise<void> {
      const text = await textOf(path);
      if (hasMarked(text)) await replaceFile(path, withoutMarked(text));
    },
  };
}
