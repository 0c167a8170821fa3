import { chmod, mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTree, type JsonTree, type JsonValue, valueAt, withValue } from '../../lib/json-tree.ts';
import { mentions } from '../../lib/mentions.ts';
import { readPlist } from '../../lib/plist.ts';
import { textOf } from '../../lib/replace-file.ts';
import { isSafeBrowsingOff, MAX_PROFILE_BYTES, type UsersProfiles } from '../../lib/safe-browsing.ts';
import { requireOwnPath } from '../../lib/system-path.ts';
import { type GuardUserFiles, unguarded } from '../../lib/user-file-work.ts';
import { type BrowserPolicyStore, isOfFirefox, type PolicyDocument } from '../port.ts';
import type { MacReaders } from './listing/listing.ts';
import type { MacNative } from './native.ts';

const defaults = '/usr/bin/defaults';
const managed = '/Library/Managed Preferences';
const preferences = '/Library/Preferences';
const edgeName = 'com.microsoft.Edge';
/** Where each browser has its users' profiles, in a home. */
const profileFolders: Record<string, string[]> = {
  'com.google.Chrome': ['Google', 'Chrome'],
  'com.brave.Browser': ['BraveSoftware', 'Brave-Browser'],
  'org.chromium.Chromium': ['Chromium'],
};
const chromiumNames = [edgeName, ...Object.keys(profileFolders)];
const firefoxName = 'org.mozilla.firefox';
const firefoxFile = '/Applications/Firefox.app/Contents/Resources/distribution/policies.json';
/** Firefox reads `Permissions__Notifications__Locked` as nested dictionaries, which `defaults` cannot change. */
const SEPARATOR = '__';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

export interface MacPolicyDeps {
  native: MacNative;
  /** The disk. */
  root?: string;
  users?: () => Promise<Pick<MacReaders, 'people' | 'bytes'>>;
  guard?: GuardUserFiles;
}

export function macBrowserPolicies({ native, root = '/', users, guard = unguarded }: MacPolicyDeps): BrowserPolicyStore {
  const onDisk = (path: string) => join(root, path);
  const run = async (...args: string[]) => {
    const { code, out } = await native.run(defaults, args);
    if (code !== 0) throw new Error(`macOS did not take the command defaults ${args.slice(0, 2).join(' ')}`);
    return out;
  };
  /** `defaults` takes the path without the ending. */
  const domainOf = (id: string) => onDisk(id).replace(/\.plist$/, '');
  const load = async (id: string): Promise<JsonTree> => {
    if (!(await exists(onDisk(id)))) return {};
    // The service behind `defaults` may have newer settings than the file.
    const xml = await run('export', domainOf(id), '-');
    if (!/<dict\b/.test(xml)) throw new Error(`${id} is not a property list`);
    return nested(readPlist(Buffer.from(xml)));
  };
  const othersOf = async (document: PolicyDocument) => {
    const { id } = document;
    const name = id.slice(id.lastIndexOf('/') + 1);
    const entries = await readdir(onDisk(managed), { withFileTypes: true }).catch(() => []);
    const ofUsers = entries.flatMap((entry) => (entry.isDirectory() ? [join(managed, entry.name, name)] : []));
    return [isOfFirefox(document) ? `${managed}/${name}` : `${preferences}/${name}`, ...ofUsers];
  };
  return {
    async documents() {
      const chromium = chromiumNames.map((name) => ({
        ...{ id: `${managed}/${name}.plist`, own: false },
        format: name === edgeName ? ('edge' as const) : ('chromium' as const),
      }));
      const firefox = { id: `${preferences}/${firefoxName}.plist`, format: 'firefox_plist' as const, own: false };
      const tree = await load(firefox.id);
      // Policies that someone has written and not switched on must stay off.
      const isUnused = valueAt(tree, ['EnterprisePoliciesEnabled']) === null && Object.keys(tree).length > 0;
      return isUnused ? chromium : [...chromium, firefox];
    },
    read: async ({ id }, path) => valueAt(await load(id), path),
    async isSetElsewhere(document, path) {
      for (const other of await othersOf(document)) {
        const bytes = await readFile(onDisk(other)).catch(() => null);
        if (bytes && valueAt(nested(readPlist(bytes)), path) !== null) return true;
      }
      return isOfFirefox(document) && mentions(await textOf(onDisk(firefoxFile)), path);
    },
    async isSafeBrowsingOff({ id }) {
      const folder = profileFolders[basename(id, '.plist')];
      const readers = folder && (await users?.());
      if (!readers) return false;
      const text: UsersProfiles['text'] = async (home, names) => {
        const bytes = await readers.bytes(join(home, ...names), MAX_PROFILE_BYTES);
        return bytes && Buffer.from(bytes).toString('utf8');
      };
      return isSafeBrowsingOff({ people: readers.people, text, guard }, ['Library', 'Application Support', ...folder]);
    },
    async missing({ id }) {
      const present = await Promise.all([dirname(id), id].map((path) => exists(onDisk(path))));
      return [dirname(id), id].filter((_path, n) => !present[n]);
    },
    async set({ id }, path, value) {
      await requireOwnPath(onDisk(id), root);
      if (await mkdir(dirname(onDisk(id)), { recursive: true })) await chmod(dirname(onDisk(id)), 0o755);
      const leaves = leavesOf(path, value);
      const written = new Set(leaves.map(([key]) => key));
      const former = leavesOf(path, valueAt(await load(id), path)).filter(([key, leaf]) => leaf !== null && !written.has(key));
      for (const [key] of former) await run('delete', domainOf(id), key);
      for (const [key, leaf] of leaves) await run('write', domainOf(id), key, ...typed(leaf));
      await chmod(onDisk(id), 0o644);
    },
    async remove({ id }, path) {
      await requireOwnPath(onDisk(id), root);
      const leaves = leavesOf(path, valueAt(await load(id), path));
      for (const [key] of leaves) await run('delete', domainOf(id), key);
      if (await exists(onDisk(id))) await chmod(onDisk(id), 0o644);
    },
    removeLeftovers: async () => {},
    async removeIfEmpty(container) {
      await requireOwnPath(onDisk(container), root);
      if (!container.endsWith('.plist')) await rmdir(onDisk(container)).catch(() => {});
      else if (Object.keys(await load(container)).length === 0) await rm(onDisk(container), { force: true });
    },
  };
}

function leavesOf(path: string[], value: JsonValue): [string, JsonValue][] {
  if (!isTree(value)) return [[path.join(SEPARATOR), value]];
  return Object.entries(value).flatMap(([name, below]) => leavesOf([...path, name], below));
}

function nested(flat: JsonTree): JsonTree {
  return Object.entries(flat).reduce<JsonTree>((tree, [key, value]) => {
    const path = key.split(SEPARATOR);
    // A value in the way of a nested name is someone else's mistake.
    for (let length = 1; length < path.length; length++) {
      const above = valueAt(tree, path.slice(0, length));
      if (above !== null && !isTree(above)) return tree;
    }
    return withValue(tree, path, value);
  }, {});
}

function typed(value: JsonValue): string[] {
  if (typeof value === 'boolean') return ['-bool', value ? 'TRUE' : 'FALSE'];
  if (typeof value === 'number') return ['-int', String(value)];
  if (Array.isArray(value)) return ['-array', ...value.map(String)];
  return ['-string', String(value)];
}
