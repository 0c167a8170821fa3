import { fold } from './fold.ts';

const variables: [RegExp, string][] = [
  [/^%(programfiles(\(x86\))?|programw6432)%/, 'program files'],
  [/^%programdata%|^%allusersprofile%/, 'programdata'],
  [/^%appdata%/, 'appdata/roaming'],
  [/^%localappdata%/, 'appdata/local'],
  [/^%(systemroot|windir)%/, 'windows'],
  [/^%temp%|^%tmp%/, 'appdata/local/temp'],
  [/^%userprofile%\/|^~\//, ''],
];

const homeFolder = /^(users|home|documents and settings)\/[^/]+\//;

/** A path as compared: lower case, with `/`, without drive, `\\?\` and home folder, and equal for 32 and 64 bits. */
export function foldPath(path: string): string {
  let foldedPath = fold(path)
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/[?.]{1,2}\//, '')
    .replace(/^\/?[a-z]:(\/|$)/, '')
    .replace(/^\//, '');
  for (const [name, folder] of variables) foldedPath = foldedPath.replace(name, folder);
  return foldedPath
    .replace(homeFolder, '')
    .replace(/^program files \(x86\)(?=\/|$)/, 'program files')
    .replace(/(?<!\/)\/+$/, '');
}

/** The installation id in a folder name: `ScreenConnect Client (1f3c9a2b77d01e55)`. */
const installationId = /\s\([0-9a-f]{6,}\)(?=\/|$)/g;

/** A path and all its parent folders, longest first; folded, without installation ids. */
export function foldersOf(path: string): string[] {
  const segments = foldPath(path).replace(installationId, '').split('/');
  return segments.map((_, removedCount) => segments.slice(0, segments.length - removedCount).join('/')).filter((folder) => folder !== '');
}
