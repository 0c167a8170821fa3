import { win32 } from 'node:path';
import { isTree, type JsonTree, type JsonValue } from '../../lib/json-tree.ts';
import { mentions } from '../../lib/mentions.ts';
import { isSafeBrowsingOff, type UsersProfiles } from '../../lib/safe-browsing.ts';
import { type BrowserPolicyStore, isOfFirefox, type PolicyDocument, type PolicyPath } from '../port.ts';
import type { Registry, RegistryValue } from './native/registry.ts';

const policiesKey = 'SOFTWARE\\Policies';
/** Where each browser has its users' profiles, in the local data of a user. */
const profileFolders: Record<string, string[]> = {
  'Google\\Chrome': ['Google', 'Chrome'],
  'BraveSoftware\\Brave': ['BraveSoftware', 'Brave-Browser'],
  Chromium: ['Chromium'],
};
const edgeKey = 'Microsoft\\Edge';
const firefoxKey = 'Mozilla\\Firefox';
/** Its subkeys are the identifiers of users. */
const profilesKey = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';
/** Deeper keys than any policy has are not read. */
const MAX_DEPTH = 8;

export interface WindowsPolicyDeps {
  machine: Registry;
  /** The hives of the users who are logged in. */
  users: Registry;
  /** Empty when there is no such file. */
  textOf: (path: string) => Promise<string>;
  programFiles: string;
  profiles?: () => UsersProfiles;
}

export function windowsBrowserPolicies({ machine, users, textOf, programFiles, profiles }: WindowsPolicyDeps): BrowserPolicyStore {
  const firefoxFile = win32.join(programFiles, 'Mozilla Firefox', 'distribution', 'policies.json');
  const isKey = (key: string) => {
    const at = key.lastIndexOf('\\');
    return machine.keys(key.slice(0, at)).some((name) => isSameName(name, key.slice(at + 1)));
  };
  const place = ({ id }: PolicyDocument, path: PolicyPath) => ({
    key: [id, ...path.slice(0, -1)].join('\\'),
    name: path.at(-1) ?? '',
  });
  const removeIfEmpty = (key: string) => {
    if (isBelowPolicies(key) && isKey(key) && machine.keys(key).length + machine.values(key).length === 0) machine.removeKey(key);
  };
  const removeBelow = (key: string, depth = 0) => {
    if (depth > MAX_DEPTH || !isKey(key)) return;
    for (const name of machine.keys(key)) removeBelow(`${key}\\${name}`, depth + 1);
    for (const name of machine.values(key)) machine.removeValue(key, name);
    removeIfEmpty(key);
  };
  return {
    async documents() {
      const documentOf = (key: string, format: PolicyDocument['format']) => ({ id: `${policiesKey}\\${key}`, format, own: false });
      const chromium = Object.keys(profileFolders).map((key) => documentOf(key, 'chromium'));
      return [...chromium, documentOf(edgeKey, 'edge'), documentOf(firefoxKey, 'firefox')];
    },
    async read(document, path) {
      const { key, name } = place(document, path);
      return valueIn(machine, key, name);
    },
    async isSetElsewhere(document, path) {
      const { key, name } = place(document, path);
      // A policy of the machine would win over the policy of a user.
      const userKeys = machine.keys(profilesKey).map((sid) => `${sid}\\${key}`);
      if (userKeys.some((userKey) => valueIn(users, userKey, name) !== null)) return true;
      if (isOfFirefox(document)) return mentions(await textOf(firefoxFile), path);
      const isRecommended = (registry: Registry, above: string) => valueIn(registry, `${above}\\Recommended`, name) !== null;
      return isRecommended(machine, key) || userKeys.some((userKey) => isRecommended(users, userKey));
    },
    async isSafeBrowsingOff({ id }) {
      const folder = profileFolders[id.slice(policiesKey.length + 1)];
      return folder && profiles ? isSafeBrowsingOff(profiles(), ['AppData', 'Local', ...folder, 'User Data']) : false;
    },
    async missing(document, path) {
      const names = place(document, path).key.split('\\');
      const keys = names.map((_name, n) => names.slice(0, n + 1).join('\\'));
      return keys.filter((key) => isBelowPolicies(key) && !isKey(key));
    },
    async set(document, path, value) {
      const { key, name } = place(document, path);
      // What is left of a longer list would count as a part of the new one.
      removeBelow(`${key}\\${name}`);
      for (const leaf of leavesOf(key, name, value)) machine.write(leaf.key, leaf.name, leaf.value);
    },
    async remove(document, path) {
      const { key, name } = place(document, path);
      machine.removeValue(key, name);
      removeBelow(`${key}\\${name}`);
    },
    removeLeftovers: async () => {},
    removeIfEmpty: async (container) => removeIfEmpty(container),
  };
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const isBelowPolicies = (key: string) => key.startsWith(`${policiesKey}\\`);

/** A value, or a key of this name with its values; null when there is neither. */
function valueIn(registry: Registry, key: string, name: string): JsonValue {
  const stored = registry.values(key).find((one) => isSameName(one, name));
  // A value of an unknown type counts as set too.
  if (stored !== undefined) return registry.read(key, stored) ?? '';
  return treeIn(registry, `${key}\\${name}`, 0);
}

/** What is in the key: a list when all its names are numbers, and null when it is empty or missing. */
function treeIn(registry: Registry, key: string, depth: number): JsonTree | JsonValue[] | null {
  if (depth > MAX_DEPTH) return null;
  const values = registry.values(key).map((name): [string, JsonValue] => [name, registry.read(key, name) ?? '']);
  const keys = registry.keys(key).map((name): [string, JsonValue] => [name, treeIn(registry, `${key}\\${name}`, depth + 1)]);
  const found = [...values, ...keys].filter(([, value]) => value !== null);
  if (found.length === 0) return null;
  if (!found.every(([name]) => /^\d+$/.test(name))) return Object.fromEntries(found);
  return found.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value);
}

interface Leaf {
  key: string;
  name: string;
  value: RegistryValue;
}

/** Browsers read a list as a key whose names count from 1. */
function leavesOf(key: string, name: string, value: JsonValue): Leaf[] {
  const below = `${key}\\${name}`;
  if (Array.isArray(value)) return value.flatMap((item, n) => leavesOf(below, String(n + 1), item));
  if (isTree(value)) return Object.entries(value).flatMap(([leaf, content]) => leavesOf(below, leaf, content));
  if (value === null) throw new Error('A policy in the registry is a number, text, or a key with them.');
  return [{ key, name, value: typeof value === 'boolean' ? Number(value) : value }];
}
