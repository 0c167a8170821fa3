import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '../../lib/replace-file.ts';

/** Where systemd-resolved reads its settings, the strongest first: of files of one name the first counts. */
const folders = ['etc/systemd', 'run/systemd', 'usr/local/lib/systemd', 'usr/lib/systemd'];

/**
 * The name servers that this computer's own settings for systemd-resolved name, below the folder `root`, as addresses in their order; those of
 * the drop-in called `without` left out. What it has learned of networks is not among them.
 */
export async function ownServers(root: string, without: string): Promise<string[]> {
  const main = await firstOf(folders.map((folder) => join(root, folder, 'resolved.conf')));
  const inFolders = await Promise.all(folders.map((folder) => readdir(join(root, folder, 'resolved.conf.d')).catch(() => [])));
  const names = [...new Set(inFolders.flat())].filter((name) => name.endsWith('.conf') && name !== without).toSorted();
  const texts = [main];
  for (const name of names) texts.push(await firstOf(folders.map((folder) => join(root, folder, 'resolved.conf.d', name))));
  return texts.reduce<string[]>((before, text) => dnsIn(text, before), []).map((server) => server.replace(/[%#].*$/, ''));
}

/** The values of DNS= in a file of settings, added to those of the files before it: an empty one begins anew. */
export function dnsIn(text: string, before: string[] = []): string[] {
  const values = [...text.matchAll(/^[ \t]*DNS[ \t]*=(.*)$/gm)].map(([, value = '']) => value.trim());
  return values.reduce((servers, value) => (value ? [...servers, ...value.split(/\s+/)] : []), before);
}

async function firstOf(paths: string[]): Promise<string> {
  for (const path of paths) {
    const text = await textOf(path);
    if (text) return text;
  }
  return '';
}
