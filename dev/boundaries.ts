import type { Import } from './imports.ts';
import { type Zone, zones } from './zones.ts';

const isTest = /\.test\.tsx?$/;
/** What ships of recognition: an agent gets it from its server (P16.1). */
export const shippedDefinitions = /^definitions\/(shipped\.ts|catalogue|first-list|money\/institutions|.*\.json$)/;

/** Null when the import is allowed, else why not. `reachesSchemas`: whether a file needs the schema library at run time. */
export function whyForbidden(file: string, { to, types_only }: Import, reachesSchemas: (contractFile: string) => boolean): string | null {
  const { zone, slice } = zoneOf(file);
  const test = isTest.test(file);
  if (to.startsWith('node:')) return zone.node === false && !test ? zone.why : null;
  if (to.startsWith('npm:')) return test || !zone.packages || zone.packages.includes(to.slice(4)) ? null : zone.why;
  if (file.startsWith('dashboard/') && to.startsWith('contract/') && !types_only && !test && reachesSchemas(to)) {
    return 'the browser gets the types of the contract, not its schemas: they weigh more than a whole screen';
  }
  const program = file.split('/')[0] ?? '';
  if (program === 'agent' && to.startsWith('packaging/self-check/')) return 'the release checks are no part of the agent';
  if (program === 'agent' && !test && !/^agent\/(testing|journeys)\//.test(file) && shippedDefinitions.test(to))
    return 'an agent recognises by what its server sends, and has none of it';
  const ofProgram = { server: ['server/integrations/'], agent: ['packaging/'], packaging: ['agent/testing/'] }[program] ?? [];
  const may = test ? [...zone.may, ...ofProgram, `${program}/testing/`, 'definitions/'] : zone.may;
  if (test && file.split('/').length === 2 && to.startsWith(`${program}/`)) return null;
  const longest = (entries: string[]) => Math.max(-1, ...entries.map((entry) => prefixRegExp(entry, slice).exec(to)?.[0].length ?? -1));
  const allowedPrefixes = may.flatMap((entry) => (entry.startsWith('type ') ? (types_only ? [entry.slice(5)] : []) : [entry]));
  return longest(allowedPrefixes) > longest(zone.never ?? []) ? null : zone.why;
}

/** `slice`: empty where the zone has none, and then `*` is any folder. */
const prefixRegExp = (entry: string, slice: string) => new RegExp(`^${entry.replaceAll('.', '\\.').replace('*', slice || '[^/]+')}`);

function zoneOf(file: string): { zone: Zone; slice: string } {
  for (const zone of zones) {
    const zoneMatch = prefixRegExp(zone.files, '([^/]+)').exec(file);
    if (zoneMatch) return { zone, slice: zoneMatch[1] ?? '' };
  }
  throw new Error(`no zone for ${file}`);
}

/** The groups of files that import each other, each in order of their names: a part of one cannot be read or moved without all of it. */
export function importCircles(importsBy: Map<string, string[]>): string[][] {
  const reachedFrom = (start: string): Set<string> => {
    const reached = new Set<string>();
    const next = [...(importsBy.get(start) ?? [])];
    for (let file = next.pop(); file !== undefined; file = next.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      next.push(...(importsBy.get(file) ?? []));
    }
    return reached;
  };
  const reach = new Map([...importsBy.keys()].map((file) => [file, reachedFrom(file)]));
  const inCircle = [...reach].filter(([file, reached]) => reached.has(file)).map(([file]) => file);
  const groups = Map.groupBy(inCircle, (file) =>
    inCircle
      .filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file))
      .toSorted()
      .join('\n'),
  );
  return [...groups.keys()].map((names) => names.split('\n'));
}
