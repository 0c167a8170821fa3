import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceAt } from '../../port.ts';

/** Where systemd has the links of enabled units: systemd.unit(5). */
const systemFolders = ['etc/systemd/system', 'run/systemd/system'];
const sharedUserFolder = 'etc/systemd/user';
const homeFolder = '.config/systemd/user';
/** A link `invocation:NAME` for each unit that runs. */
const runningFolder = 'run/systemd/units';
const MAX_NAMES = 5000;

export interface Home {
  user: string;
  folder: string;
}

/** `user`: a unit of this user's own systemd. Units may be repeated. */
export interface Units {
  enabled: ServiceAt[];
  /** Only units of the system. */
  running: ServiceAt[];
}

/** The units with such names. Null where systemd is not used. */
export async function readUnits(root: string, homes: Home[], isWanted: (name: string) => boolean): Promise<Units | null> {
  const [system, shared, running, ...ofHomes] = await Promise.all([
    enabledIn(systemFolders.map((folder) => join(root, folder))),
    enabledIn([join(root, sharedUserFolder)]),
    namesIn(join(root, runningFolder)),
    ...homes.map(({ folder }) => enabledIn([join(folder, homeFolder)])),
  ]);
  if (!system) return null;
  const ofUsers = homes.flatMap(({ user }, n) => [...(shared ?? []), ...(ofHomes[n] ?? [])].map((name) => ({ name, user })));
  const enabled: ServiceAt[] = [...system.map((name) => ({ name })), ...ofUsers].filter(({ name }) => isWanted(name));
  const masked = new Set<string>();
  for (const { name, user } of enabled)
    for (const folder of systemFolders) if (user === undefined && (await isMasked(join(root, folder, name)))) masked.add(name);
  return {
    enabled: enabled.filter(({ name, user }) => user !== undefined || !masked.has(name)),
    running: (running ?? []).flatMap((link) => {
      const name = /^invocation:(.+)$/.exec(link)?.[1];
      return name !== undefined && isWanted(name) ? [{ name }] : [];
    }),
  };
}

/** Units that another unit wants. Null when no folder is readable. */
async function enabledIn(folders: string[]): Promise<string[] | null> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const targets = (await namesIn(folder))?.filter((name) => /\.(wants|requires|upholds)$/.test(name));
      return targets && (await Promise.all(targets.map((name) => namesIn(join(folder, name))))).flatMap((names) => names ?? []);
    }),
  );
  return lists.some((names) => names) ? lists.flatMap((names) => names ?? []) : null;
}

/** A masked unit never starts, although links to it may remain. */
const isMasked = (path: string) =>
  readlink(path).then(
    (target) => target === '/dev/null',
    () => false,
  );

const namesIn = (folder: string): Promise<string[] | null> =>
  readdir(folder).then(
    (names) => names.slice(0, MAX_NAMES),
    () => null,
  );
