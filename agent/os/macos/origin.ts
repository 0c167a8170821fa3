import { statSync } from 'node:fs';
import koffi from 'koffi';
import { argumentsOf, filesRunBy, hostOf, type LaunchedFile, type Origin, type ProgramOrigin } from '../origin.ts';

/** The content of an extended attribute; null when the file has none of this name. */
type ReadAttribute = (path: string, name: string) => Buffer | null;

const MAX_BYTES = 4096;

function readAttributeHere(): ReadAttribute {
  const getAttribute = koffi
    .load('/usr/lib/libSystem.dylib')
    .func('long getxattr(const char *path, const char *name, _Out_ uint8_t *value, size_t size, uint32_t position, int options)');
  return (path, name) => {
    const value = Buffer.alloc(MAX_BYTES);
    const length = Number(getAttribute(path, name, value, MAX_BYTES, 0, 0));
    return length < 0 ? null : value.subarray(0, length);
  };
}

/** Only the system can write there. */
const SYSTEM_FOLDER = /^\/(System|usr\/(bin|sbin|lib|libexec)|bin|sbin)\//;
/**
 * The bit of a download in the attribute. Sandboxed programs mark each file that they create, without this bit. Another bit says that the user
 * has opened the file: it is set before the first start, so it proves nothing.
 */
const DOWNLOADED = 0x1;

/** See `ProgramOrigin`. Reads the mark that browsers and mail programs set, of the file or of the application that contains it. */
export function macOrigin(readAttribute: ReadAttribute = readAttributeHere()): ProgramOrigin {
  const originOf = (path: string): Origin => {
    for (const place of [path, ...bundlesOf(path)]) {
      const mark = readAttribute(place, 'com.apple.quarantine')?.toString('latin1');
      const flags = mark === undefined ? Number.NaN : Number.parseInt(mark, 16);
      if (flags & DOWNLOADED) return { from: 'internet', host: hostIn(readAttribute(place, 'com.apple.metadata:kMDItemWhereFroms')) };
    }
    return { from: SYSTEM_FOLDER.test(path) ? 'local' : 'unknown' };
  };
  const launchedFrom = (path: string): LaunchedFile | null => {
    const stat = path.startsWith('/') ? statSync(path, { bigint: true, throwIfNoEntry: false }) : undefined;
    return stat?.isFile() ? { file: path, id: `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`, origin: originOf(path) } : null;
  };
  return {
    of({ path, command_line = '' }) {
      const launched = [...filesRunBy(path, argumentsOf(command_line)), path].map(launchedFrom).filter((file) => file !== null);
      return launched.find(({ origin }) => origin.from === 'internet') ?? launched[0] ?? null;
    },
    close() {},
  };
}

/** The applications that contain the file, the innermost first. */
function bundlesOf(path: string): string[] {
  const names = path.split('/');
  return names.flatMap((name, n) => (name.endsWith('.app') && n < names.length - 1 ? [names.slice(0, n + 1).join('/')] : [])).reverse();
}

/** The host of the first address in a binary property list. Before a text is its length: in the marker, or as a number of one byte. */
function hostIn(list: Buffer | null): string | null {
  const at = list?.indexOf('http') ?? -1;
  if (!list || at < 1) return null;
  const marker = list[at - 1] ?? 0;
  const isShort = marker > 0x50 && marker < 0x5f;
  return hostOf(list.toString('latin1', at, at + (isShort ? marker - 0x50 : marker)));
}
