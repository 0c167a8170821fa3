import { fold, foldName, foldOriginal } from './fold.ts';
import type { Definition, Os, ProgramSeen } from './format.ts';
import { sshForward } from './ssh-forward.ts';

/** Programs that only reach other computers, as viewers and clients do: nobody gets into this one by them (P15.3). */
type Outgoing = Definition['outgoing'];

export const hasClient = (outgoing: Outgoing): boolean => Object.values(outgoing).some(({ length }) => length > 0);

/**
 * Whether this is a build that only reaches other computers. On Windows and macOS a file name says nothing, because anyone can rename a
 * file; programs of Linux have nothing else.
 */
export function isOutgoingBuild({ os, name, original_name, internal_name, bundle_id, sha256 }: ProgramSeen, outgoing: Outgoing): boolean {
  if (sha256 && outgoing.sha256.includes(fold(sha256))) return true;
  if (os === 'macos') return outgoing.bundle_ids.some((one) => fold(one) === fold(bundle_id ?? ''));
  if (os === 'linux') return outgoing.names.some((one) => one.os === 'linux' && foldName(one.name) === foldName(name));
  const original = foldOriginal(original_name || internal_name || '');
  return outgoing.original_names.some((one) => foldOriginal(one) === original);
}

/** How a client was started. `fileOf`: a file that its command line names; null when it cannot be read. */
export interface ClientStart {
  os: Os;
  name: string;
  /** Without the name of the program; null when they cannot be read. */
  args: string[] | null;
  /** `file`: its path without links. */
  fileOf: (path: string) => { file: string; origin: { from: 'internet' | 'local' | 'unknown' } } | null;
}

const MAX_ARGUMENTS = 100;

/**
 * Whether a client goes out and lets nothing in: it waits for no caller, forwards no ports, and its connection file was not sent by somebody.
 * What cannot be read counts as sent.
 */
export function isOnlyOutgoing({ os, name, args, fileOf }: ClientStart): boolean {
  if (args === null || args.length > MAX_ARGUMENTS || args.some(isListening) || sshForward(name, args) !== null) return false;
  return args
    .flatMap((argument) => connectionFile(os, argument))
    .every((path) => {
      const found = fileOf(path);
      return found !== null && found.origin.from !== 'internet' && ![path, found.file].some(isInPassingFolder);
    });
}

/** `-listen`, `/listen 5500`, `-Listen=1` and `Listen=1` of VNC viewers. */
const isListening = (argument: string) => /^([-/]{1,2}listen(mode)?([=:].*)?|listen=.*)$/i.test(argument);

const connectionFileEnding = /\.(rdp|vnc|tigervnc|remmina)$/i;
const windowsPath = /^[a-z]:|\\/i;

/** The file that an argument names, alone or behind `-option=`. */
function connectionFile(os: Os, argument: string): string[] {
  const value = argument.replace(/^([-/]{1,2}\w{2,}[=:]|\w{2,}=)/, '').replace(/^"|"$/g, '');
  const path = value.replace(/^file:(\/\/)?/i, '');
  const isOption = value === argument && (os === 'windows' ? /^[-/]/ : /^-/).test(argument);
  if (isOption || (path === value && /^[a-z][a-z0-9+.-]+:\/\//i.test(value))) return [];
  const isPath = os === 'windows' ? windowsPath.test(path) : path.includes('/');
  return isPath || connectionFileEnding.test(path) ? [path] : [];
}

/** Folders in which mail, browsers and other programs put what somebody sent, by their names in lower case. */
const passingFolders = new Set([
  ...['download', 'downloads', 'descargas'],
  ...['temp', 'tmp', '.cache', 'inetcache', 'temporary internet files', 'temporaryitems', 'shm'],
  ...['mail', 'mail downloads', 'com.apple.mail', 'content.outlook', 'olk', 'outlook', 'attachments', 'imapmail'],
  ...['thunderbird', '.thunderbird', 'evolution', 'microsoft.windowscommunicationsapps_8wekyb3d8bbwe'],
]);
/** The short names that Windows also has for folders: `DOWNLO~1`. */
const shortNames = new Set([...passingFolders].map((name) => name.replace(/[. ]/g, '').slice(0, 6)));

/** A mail, download or temporary folder, or one below it. macOS has one of its own for each user: /var/folders/…/T. */
function isInPassingFolder(path: string): boolean {
  const folders = path.toLowerCase().split(/[\\/]/).slice(0, -1);
  return (
    /\/var\/folders\/.+\/t\//i.test(path) ||
    folders.some(
      (one) =>
        passingFolders.has(one) || /^temp\d+_/.test(one) || (/~\d+(\.|$)/.test(one) && shortNames.has(one.slice(0, one.indexOf('~')))),
    )
  );
}
