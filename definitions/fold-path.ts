import { fold } from './fold.ts';

/** What Windows calls the folders that every computer has, as the folder itself. */
const variables: [RegExp, string][] = [
  [/^%(programfiles(\(x86\))?|programw6432)%/, 'program files'],
  [/^%programdata%|^%allusersprofile%/, 'programdata'],
  [/^%appdata%/, 'appdata/roaming'],
  [/^%localappdata%/, 'appdata/local'],
  [/^%(systemroot|windir)%/, 'windows'],
  [/^%temp%|^%tmp%/, 'appdata/local/temp'],
  [/^%userprofile%\/|^~\//, ''],
];

/** Where a person's own files lie, on Windows and macOS, and on Linux. */
const home = /^(users|home|documents and settings)\/[^/]+\//;

/**
 * A path as it is compared: lower case, `/` between its parts, without drive, without `\\?\`, without the person's own folder, and
 * the same for 32 and 64 bits. Empty when nothing is left.
 */
export function foldPath(path: string): string {
  let folded = fold(path)
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/[?.]{1,2}\//, '')
    .replace(/^\/?[a-z]:(\/|$)/, '')
    .replace(/^\//, '');
  for (const [name, folder] of variables) folded = folded.replace(name, folder);
  return folded
    .replace(home, '')
    .replace(/^program files \(x86\)(?=\/|$)/, 'program files')
    .replace(/\/+$/, '');
}

/** An installation with a number of its own: `ScreenConnect Client (1f3c9a2b77d01e55)`. */
const numbered = /\s\([0-9a-f]{6,}\)(?=\/|$)/g;

/** The path and every folder that it lies in, longest first; folded, and without the numbers of single installations. */
export function foldersOf(path: string): string[] {
  const parts = foldPath(path).replace(numbered, '').split('/');
  return parts.map((_, from) => parts.slice(0, parts.length - from).join('/')).filter((folder) => folder !== '');
}
