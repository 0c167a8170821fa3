import { resolve } from 'node:path';
import { FolderInUse, NoEmbedded, NoRoom, StartFailed, WrongFolder } from '../db/embedded/refusals.ts';
import { DatabaseRefused } from '../db/first-connection.ts';
import { isDiskFull } from './database-outage.ts';

/** A failed start whose message names the setting or the file to correct. */
export class StartRefused extends Error {}

const describedErrors = [StartRefused, DatabaseRefused, NoEmbedded, NoRoom, FolderInUse, WrongFolder, StartFailed];

/** What to print for a failed start: a sentence if the cause is known, otherwise the stack. */
export function whyNotStarted(err: unknown, data_dir: string): string {
  if (!(err instanceof Error)) return String(err);
  if (describedErrors.some((kind) => err instanceof kind)) return err.message;
  if (isDiskFull(err)) return `The disk is full, so Porchlight cannot start on ${data_dir}. Free some space and start it again.`;
  return whyNotListening(err) ?? whyNoFolder(err, resolve(data_dir)) ?? err.stack ?? err.message;
}

interface ListenError extends NodeJS.ErrnoException {
  port?: number;
  address?: string;
  hostname?: string;
}

/** Null for errors that are not about PORT or HOST. */
function whyNotListening({ code, syscall, port = 0, address, hostname }: ListenError): string | null {
  if (syscall === 'getaddrinfo') return noSuchHost(hostname ?? '');
  if (syscall !== 'listen' && syscall !== 'bind') return null;
  const otherPort = port < 65_535 ? port + 1 : port - 1;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${otherPort} npm start`;
  if (code === 'EACCES') {
    return `Port ${port} needs the rights of an administrator here. Choose one above 1023, such as PORT=4380, and let a proxy in front take port ${port}.`;
  }
  return code === 'EADDRNOTAVAIL' ? noSuchHost(address ?? '') : null;
}

const noSuchHost = (host: string) =>
  `HOST is ${host}, and this computer has no such address. Set HOST to one that it has, or to 0.0.0.0 for all of them.`;

/** Null for errors that are not about DATA_DIR. */
function whyNoFolder({ code, path }: NodeJS.ErrnoException, data_dir: string): string | null {
  if (!path || !(`${path}/`.startsWith(`${data_dir}/`) || `${data_dir}/`.startsWith(`${path}/`))) return null;
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return `DATA_DIR is ${data_dir}, and ${path} is a file, not a folder. Set DATA_DIR to a folder.`;
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return null;
  return `DATA_DIR is ${data_dir}, and Porchlight may not write there (${code}). Give the folder to the user who starts Porchlight, or set DATA_DIR to another one.`;
}
