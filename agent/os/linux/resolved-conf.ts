import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '../../lib/replace-file.ts';

/** By precedence: of settings files with the same name only the first counts. */
const folders = ['etc/systemd', 'run/systemd', 'usr/local/lib/systemd', 'usr/lib/systemd'];

/** The DNS servers in the local systemd-resolved settings, without those of the drop-in `excludedName` or of networks. */
export async function configuredServers(root: string, excludedName: string): Promise<string[]> {
  const mainText = await firstText(folders.map((folder) => join(root, folder, 'resolved.conf')));
  const nameLists = await Promise.all(folders.map((folder) => readdir(join(root, folder, 'resolved.conf.d')).catch(() => [])));
  const names = [...new Set(nameLists.flat())].filter((name) => name.endsWith('.conf') && name !== excludedName).toSorted();
  const texts = [mainText];
  for (const name of names) texts.push(await firstText(folders.map((folder) => join(root, folder, 'resolved.conf.d', name))));
  return texts.reduce<string[]>((earlierServers, text) => dnsIn(text, earlierServers), []).map((server) => server.replace(/[%#].*$/, ''));
}

/** Appends the values of DNS= to `earlierServers`; an empty value clears the list. */
export function dnsIn(text: string, earlierServers: string[] = []): string[] {
  const values = [...text.matchAll(/^[ \t]*DNS[ \t]*=(.*)$/gm)].map(([, value = '']) => value.trim());
  return values.reduce((servers, value) => (value ? [...servers, ...value.split(/\s+/)] : []), earlierServers);
}

async function firstText(paths: string[]): Promise<string> {
  for (const path of paths) {
    const text = await textOf(path);
    if (text) return text;
  }
  return '';
}
