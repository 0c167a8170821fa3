import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mentions } from '../../lib/mentions.ts';
import { isTemporaryOf, textOf } from '../../lib/replace-file.ts';
import { isSafeBrowsingOff, MAX_PROFILE_BYTES, type UsersProfiles } from '../../lib/safe-browsing.ts';
import { type GuardUserFiles, unguarded } from '../../lib/user-file-work.ts';
import { type BrowserPolicyStore, isOfFirefox, type PolicyDocument, type PolicyPath } from '../port.ts';
import { homesOf } from './listing/homes.ts';
import { textFiles } from './listing/read.ts';
import { policyFiles } from './policy-file.ts';

/** Each browser reads all files of `managed`, and of two with the same policy the later name wins. */
const edgeFolder = '/etc/opt/edge/policies';
/** Where each browser has its users' profiles, in a home. */
const profileFolders: Record<string, string[]> = {
  '/etc/opt/chrome/policies': ['.config', 'google-chrome'],
  '/etc/brave/policies': ['.config', 'BraveSoftware', 'Brave-Browser'],
  '/etc/chromium/policies': ['.config', 'chromium'],
};
const chromiumFolders = [edgeFolder, ...Object.keys(profileFolders)];
const ownName = 'porchlight.json';

/** Hides the files of all installations as a whole. Debian's Firefox does not read /etc/firefox-esr. */
const firefoxOfSystem = '/etc/firefox/policies/policies.json';
const firefoxInstallations = ['/usr/lib/firefox-esr', '/usr/lib/firefox', '/usr/lib64/firefox', '/opt/firefox'];
const fileOf = (installation: string) => `${installation}/distribution/policies.json`;

const inFile = (document: PolicyDocument, path: PolicyPath) => (isOfFirefox(document) ? ['policies', ...path] : path);

const folderOf = ({ id }: PolicyDocument) => id.slice(0, -`/managed/${ownName}`.length);

export function linuxBrowserPolicies(root = '/', uid = process.getuid?.() ?? 0, guard: GuardUserFiles = unguarded): BrowserPolicyStore {
  const files = policyFiles(root);
  const present = async (paths: string[]) => {
    const found = await Promise.all(paths.map(files.exists));
    return paths.filter((_path, n) => found[n]);
  };
  /** Our policies go where they hide nothing. */
  const firefoxFiles = async (): Promise<string[]> => {
    if (await files.exists(firefoxOfSystem)) return [firefoxOfSystem];
    const installations = await present(firefoxInstallations);
    return (await present(installations.map(fileOf))).length > 0 ? installations.map(fileOf) : [firefoxOfSystem];
  };
  const othersIn = async (folder: string) => {
    const names = await readdir(join(root, folder)).catch((err: NodeJS.ErrnoException) => {
      if (err.code === 'ENOENT') return [];
      throw err;
    });
    return names.filter((name) => name !== ownName && !isTemporaryOf(name, ownName)).map((name) => join(root, folder, name));
  };
  return {
    async documents() {
      const chromium = chromiumFolders.map((folder) => ({
        ...{ id: `${folder}/managed/${ownName}`, own: true },
        format: folder === edgeFolder ? ('edge' as const) : ('chromium' as const),
      }));
      const firefox = (await firefoxFiles()).map((id) => ({ id, format: 'firefox' as const, own: false }));
      return [...chromium, ...firefox];
    },
    read: (document, path) => files.read(document.id, inFile(document, path)),
    async isSetElsewhere(document, path) {
      if (isOfFirefox(document)) return false;
      const folder = folderOf(document);
      const others = [...(await othersIn(`${folder}/managed`)), ...(await othersIn(`${folder}/recommended`))];
      const texts = await Promise.all(others.map(readableText));
      return texts.some((text) => mentions(text, path));
    },
    async isSafeBrowsingOff(document) {
      const folder = profileFolders[folderOf(document)];
      if (!folder) return false;
      const people = await homesOf(root, uid === 0 ? null : uid);
      const text: UsersProfiles['text'] = (home, names) => textFiles(home, (work) => work()).whole(join(home, ...names), MAX_PROFILE_BYTES);
      return isSafeBrowsingOff({ people, text, guard }, folder);
    },
    missing: (document, path) => files.missing(document.id, inFile(document, path)),
    set: (document, path, value) => files.set(document.id, inFile(document, path), value),
    remove: (document, path) => files.remove(document.id, inFile(document, path)),
    removeLeftovers: ({ id }) => files.removeLeftovers(id),
    removeIfEmpty: files.removeIfEmpty,
  };
}

/** A folder among the files is none of the browser's. */
const readableText = (path: string) =>
  textOf(path).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'EISDIR') return '';
    throw err;
  });
