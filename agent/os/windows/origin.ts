import { argumentsOf, filesRunBy, hostOf, type LaunchedFile, type Origin, type ProgramOrigin } from '../origin.ts';
import { isLocal } from './file/file-facts.ts';
import type { FileCalls } from './native/files.ts';
import type { Handle } from './native/kernel.ts';

/** Constants of CreateFileW. */
const [readData, readAttributes, shareAll, openExisting] = [0x1, 0x80, 7, 3];
const invalidHandles = new Set<Handle>([-1, 0, 0xffffffffn, 0xffffffffffffffffn, -1n]);
const MAX_BYTES = 4096;
/** URLZONE_INTERNET and URLZONE_UNTRUSTED. */
const INTERNET_ZONES = new Set(['3', '4']);
/** Only administrators can write there. */
const SYSTEM_FOLDER = /^[a-z]:\\(windows|program files( \(x86\))?)\\/i;
/** A folder of a web server that Windows mounts as a computer: `\\host@SSL\DavWWWRoot`. */
const WEB_FOLDER = /^[\\/]{2}([^\\/@?.][^\\/@]*)@(?:ssl|\d)/i;

/**
 * See `ProgramOrigin`. Reads the stream `Zone.Identifier` that browsers and mail programs write, and that Explorer carries over to the files of an
 * archive. Some archive programs (7-Zip, as it is installed) and disk images do not carry it over: their files are of unknown origin. A relative path
 * in a command line is not resolved, because the working folder of another process is not known.
 */
export function windowsOrigin(calls: Pick<FileCalls, 'openFolder' | 'read' | 'information' | 'close'>): ProgramOrigin {
  const withFile = <T>(path: string, access: number, use: (file: Handle) => T): T | null => {
    const file = calls.openFolder(path, access, shareAll, null, openExisting, 0, 0) as Handle;
    if (invalidHandles.has(file)) return null;
    try {
      return use(file);
    } finally {
      calls.close(file);
    }
  };
  const readZone = (path: string) =>
    withFile(`${path}:Zone.Identifier`, readData, (stream) => {
      const [buffer, done] = [Buffer.alloc(MAX_BYTES), [0]];
      return calls.read(stream, buffer, MAX_BYTES, done, null) ? buffer.subarray(0, done[0]) : null;
    });
  const idOf = (path: string) =>
    withFile(path, readAttributes, (file) => {
      const data = Buffer.alloc(52);
      if (!calls.information(file, data)) return null;
      const index = (BigInt(data.readUInt32LE(44)) << 32n) | BigInt(data.readUInt32LE(48));
      return `${data.readUInt32LE(28)}:${index}`;
    });
  const launchedFrom = (path: string): LaunchedFile | null => {
    const host = WEB_FOLDER.exec(path)?.[1];
    if (host) return { file: path, id: path.toLowerCase(), origin: { from: 'internet', host: host.toLowerCase() } };
    // A file of another computer is not opened: an absent computer would block the agent.
    const id = isLocal(path) ? idOf(path) : null;
    return id === null ? null : { file: path, id, origin: zoneOrigin(readZone(path)) ?? unmarked(path) };
  };
  return {
    of({ path, command_line = '' }) {
      const files = filesRunBy(path, argumentsOf(command_line));
      const launched = [...files, path].map(launchedFrom).filter((file) => file !== null);
      return launched.find(({ origin }) => origin.from === 'internet') ?? launched[0] ?? null;
    },
    ofFile: (_process, path) => launchedFrom(path),
    close() {},
  };
}

const unmarked = (path: string): Origin => ({ from: SYSTEM_FOLDER.test(path) ? 'local' : 'unknown' });

/** Null when the stream names no zone. Programs write it in UTF-8 or in UTF-16. */
function zoneOrigin(stream: Buffer | null): Origin | null {
  const text = stream?.toString(stream[0] === 0xff && stream[1] === 0xfe ? 'utf16le' : 'utf8') ?? '';
  const valueOf = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*(.*?)\\s*$`, 'im').exec(text)?.[1];
  const zone = valueOf('ZoneId');
  if (zone === undefined) return null;
  return INTERNET_ZONES.has(zone)
    ? { from: 'internet', host: hostOf(valueOf('HostUrl')) ?? hostOf(valueOf('ReferrerUrl')) }
    : { from: 'local' };
}
