import { isTree, type JsonTree, type JsonValue, valueAt } from './json-tree.ts';
import type { GuardUserFiles } from './user-file-work.ts';

export interface UsersProfiles {
  people: { user: string; folder: string }[];
  /**
   * A file in the home of this user, which no link may leave. Null when it is missing or larger than `MAX_PROFILE_BYTES`, or must not be read.
   */
  text(home: string, names: string[]): Promise<string | null>;
  guard: GuardUserFiles;
}

/** The settings of a profile that was used for years have less than a megabyte. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
const MAX_PROFILES = 50;

/**
 * Whether somebody has switched Safe Browsing off in a profile of this browser, and every other profile is known not to have the enhanced
 * mode, which the policy would take away. `folder`: of the browser, in a home.
 */
export async function isSafeBrowsingOff({ people, text, guard }: UsersProfiles, folder: string[]): Promise<boolean> {
  let isOff = false;
  for (const { user, folder: home } of people) {
    const guarded = guard('browsers', user);
    const list = await text(home, [...folder, 'Local State']);
    if (list === null) continue;
    const profiles = guarded(() => profilesIn(list));
    if (profiles === null) return false;
    for (const profile of profiles) {
      const settings = await text(home, [...folder, profile, 'Preferences']);
      const level = settings === null ? null : guarded(() => levelIn(settings));
      if (level === null || level === 'enhanced') return false;
      isOff ||= level === 'off';
    }
  }
  return isOff;
}

/** The folders of the profiles that this text lists; null when they are more than anyone has. */
function profilesIn(text: string): string[] | null {
  const listed = valueAt(treeOf(text), ['profile', 'info_cache']);
  const names = isTree(listed) ? Object.keys(listed).filter((name) => /^[^/\\:]+$/.test(name) && !/^\.+$/.test(name)) : [];
  return names.length > MAX_PROFILES ? null : names;
}

/** Null when the text is not understood. */
function levelIn(text: string): 'off' | 'standard' | 'enhanced' | null {
  const tree = treeOf(text);
  if (Object.keys(tree).length === 0) return null;
  // What came with the account of the browser is apart, and wins.
  const of = (name: string): JsonValue => valueAt(tree, ['account_values', 'safebrowsing', name]) ?? valueAt(tree, ['safebrowsing', name]);
  if (of('enabled') === false) return 'off';
  return of('enhanced') === true ? 'enhanced' : 'standard';
}

function treeOf(text: string): JsonTree {
  try {
    const tree = JSON.parse(text) as JsonValue;
    return isTree(tree) ? tree : {};
  } catch {
    return {};
  }
}
