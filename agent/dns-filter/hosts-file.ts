import { hasMarked, withMarkedFirst, withoutMarked } from '../lib/marked-lines.ts';
import { replaceFile, textOf } from '../lib/replace-file.ts';

/** Every lookup reads the whole hosts file: more names would slow it down. */
export const HOSTS_MAX = 2000;

/** Lines that give the names, and each with `www.`, no address. A hosts file cannot cover other subdomains. */
export function hostsLines(names: string[]): string[] {
  const allNames = [...new Set(names.flatMap((name) => (name.startsWith('www.') ? [name] : [name, `www.${name}`])))].slice(0, HOSTS_MAX);
  return allNames.flatMap((name) => [`0.0.0.0 ${name}`, `:: ${name}`]);
}

export function hostsFile(path: string) {
  return {
    async write(names: string[]): Promise<void> {
      const text = await textOf(path);
      const newText = withMarkedFirst(text, hostsLines(names));
      if (newText !== text) await replaceFile(path, newText);
    },
    async restore(): Promise<void> {
      const text = await textOf(path);
      if (hasMarked(text)) await replaceFile(path, withoutMarked(text));
    },
  };
}
