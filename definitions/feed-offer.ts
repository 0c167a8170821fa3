import { benignCommands, benignPrograms, benignStarters } from './benign.ts';
import { forbiddenNames, sharedHosts } from './check-lists.ts';
import { checkMarks } from './check-marks.ts';
import { checkPlaces } from './check-places.ts';
import { matchCommand } from './commands/match-command.ts';
import { compileCommands } from './commands/patterns.ts';
import { programName, startedFrom } from './commands/started-from.ts';
import type { Definition } from './format.ts';
import { compileSet, matchProgram } from './match.ts';
import { compileNames } from './names/compile.ts';
import { trickIn } from './names/trick.ts';
import type { Recognition } from './recognition.ts';
import { shippedNeverBlock, shippedRecognition } from './shipped.ts';
import { canonicalHost } from './sites/host.ts';
import { neverBlockWith } from './sites/never-block.ts';
import { indexPatterns } from './sites/pattern-index.ts';
import { patternProblem, readPattern } from './sites/patterns.ts';
import { isSharedHost } from './sites/public-suffix.ts';
import { readSiteList, type SiteList } from './sites/site-list.ts';
import { topTools } from './top-tools.ts';

/** `sites`: a list for `readSiteList`, or null without one. */
export interface Offer {
  recognition: Recognition;
  sites: Uint8Array | null;
}

interface Compared {
  inForce: Recognition | null;
  offered: Recognition;
  /** How many sites the list in force has, and the list that is offered. */
  sites: { before: number; offered: SiteList | null };
}

/** A set may lose this share of what the set in force knows. */
const maxLoss = 0.1;
const maxGrowth = 10;
/** A list of sites forgets faster: its sources take out what is over. The share is that of `server/features/definitions`. */
const maxSitesLoss = 0.5;
/** The share of the needed sites that a list may have. */
const maxNeededListed = 0.01;

/** The first names, and how many more there are. */
const some = (names: string[]) => names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');

const domainsOf = ({ money }: Recognition) => money.flatMap(({ domains }) => domains);
const tunnelsOf = ({ tunnels }: Recognition) =>
  Object.entries(tunnels).flatMap(([table, programs]) => Object.keys(programs).map((name) => `${name} (${table})`));

const brandDomainsOf = ({ names }: Recognition) => names.brands.flatMap(({ domains }) => domains);

const brandNames = ({ names }: Recognition) => names.brands.map(({ name }) => name);

const startsOf = ({ commands }: Recognition) =>
  Object.values(commands.starting_points).flatMap((names) =>
    Object.entries(names).flatMap(([os, all]) => all.map((name) => `${name} (${os})`)),
  );

/** Each mark by which a definition knows something, as a text. */
function marksOf({ programs, services, domains, site_patterns }: Definition): string[] {
  const fields = Object.entries({ ...programs, services, domains, site_patterns });
  return fields.flatMap(([field, marks]) => marks.map((mark) => `${field} ${JSON.stringify(mark)}`));
}

/** Programs of the set in force that the offered one no longer knows, also where only the identifier is left. */
function lostPrograms(inForce: Recognition, offered: Recognition): string[] {
  const successors = new Map(offered.definitions.map((definition) => [definition.identifier, definition]));
  return inForce.definitions.flatMap((definition) => {
    const successor = successors.get(definition.identifier);
    const [marks, remaining] = [marksOf(definition), new Set(successor ? marksOf(successor) : [])];
    const isKnown = successor?.category === definition.category && marks.filter((mark) => remaining.has(mark)).length * 2 >= marks.length;
    return isKnown ? [] : [definition.identifier];
  });
}

const missing = (before: string[], after: string[]) => {
  const remaining = new Set(after);
  return before.filter((name) => !remaining.has(name));
};

function malformed({ offered }: Compared): string | null {
  const problems: string[] = [];
  compileCommands(offered.commands, (problem) => problems.push(`A pattern of commands cannot be read: ${(problem as Error).message}.`));
  const { patterns } = offered.commands;
  for (const { identifier, site_patterns } of offered.definitions) {
    for (const text of site_patterns)
      if (patternProblem(text)) problems.push(`The pattern ${text} of ${identifier} ${patternProblem(text)}.`);
  }
  const wrongDomain = [...domainsOf(offered), ...brandDomainsOf(offered)].find((domain) => {
    const read = canonicalHost(domain);
    return !('host' in read) || read.kind === 'address' || read.host !== domain;
  });
  if (wrongDomain !== undefined) problems.push(`The site ${wrongDomain} is not a plain lower-case host.`);
  const twice = [offered.definitions, patterns]
    .flatMap((entries) => [...Map.groupBy<string, { identifier: string }>(entries, ({ identifier }) => identifier)])
    .find(([, { length }]) => length > 1);
  if (twice) problems.push(`The identifier ${twice[0]} is there ${twice[1].length} times.`);
  return problems[0] ?? null;
}

/** Needed by everybody: updates, mail, public services, banks, and the money sites that are offered. */
function neededSite({ offered, sites }: Compared): string | null {
  const services = neverBlockWith([]);
  const known = new Set(domainsOf(shippedRecognition([])));
  const resting = domainsOf(offered).find((domain) => isSharedHost(domain) || (services.has(domain) && !known.has(domain)));
  if (resting !== undefined) return `It would rest ${resting} with the money sites, and much that is harmless depends on it.`;

  const needed = new Set([...neverBlockWith(offered.money), ...shippedNeverBlock, ...sharedHosts]);
  for (const { identifier, domains } of offered.definitions) {
    const domain = domains.find((host) => needed.has(host) || isSharedHost(host.replace(/^\*\./, '')));
    if (domain !== undefined) return `${identifier} would block ${domain}, which people need.`;
  }
  const patternsOf = indexPatterns(
    offered.definitions.flatMap(({ identifier, site_patterns }) =>
      site_patterns.map((text) => ({ identifier, pattern: readPattern(text) })),
    ),
  );
  for (const host of needed) {
    const [match] = patternsOf(host);
    if (match) return `The pattern ${match.pattern.text} of ${match.identifier} would block ${host}, which people need.`;
  }
  // Agents pass over a needed site in a list. A list with many of them is a list of something else.
  const listed = [...needed].filter((host) => sites.offered?.has(host));
  return listed.length > needed.size * maxNeededListed ? `Its list of sites has ${some(listed)}, which people need.` : null;
}

function harmlessProgram({ offered: { definitions, tunnels } }: Compared): string | null {
  const set = compileSet({ version: 1, issued: '', definitions });
  for (const program of benignPrograms) {
    const match = matchProgram(program, set);
    if (match) return `It would take ${program.product ?? program.name} for ${match.name}: ${match.why.join(', ')}.`;
  }
  const harmlessNames = new Set([...forbiddenNames, ...benignPrograms.map(({ name }) => programName(name))]);
  const tunnel = Object.values(tunnels)
    .flatMap(Object.keys)
    .find((name) => harmlessNames.has(name));
  if (tunnel !== undefined) return `It would report ${tunnel} as a tunnel, and that is an ordinary program.`;
  const [problem] = definitions.flatMap((definition) =>
    [...checkMarks(definition), ...checkPlaces({ ...definition, site_patterns: [] })].map((text) => `${definition.identifier} ${text}.`),
  );
  return problem ?? null;
}

/** The names of the set in force are asked too: a brand that the offered set has lost is imitated by nobody, and its own sites least of all. */
function harmlessName({ inForce, offered }: Compared): string | null {
  const names = compileNames(offered.names, offered.money);
  const honest = new Set([...shippedNeverBlock, ...(inForce ? brandDomainsOf(inForce) : []), ...shippedRecognition([]).names.honest]);
  const paused = [...honest].find((host) => trickIn(host, names));
  return paused === undefined ? null : `It would take ${paused} for a trick by its shape, and it is none.`;
}

/** The first harmless command that a pattern would find, wherever it was started from. */
function harmlessCommand({ offered: { commands } }: Compared): string | null {
  const starter = benignStarters.find(({ os, name }) => startedFrom([name], os, commands) !== null);
  if (starter) return `It would stop what ${starter.name} starts, which starts commands by itself.`;
  const compiled = compileCommands(commands);
  for (const command of benignCommands) {
    for (const names of Object.values(commands.starting_points)) {
      const parents = names[command.os].slice(0, 1).map((name) => name.replace('*', ''));
      const found = matchCommand({ ...command, parents, pipeline: [] }, compiled);
      if (found) return `The pattern ${found.pattern} would stop an ordinary command: ${command.command_line}`;
    }
  }
  return null;
}

const isLost = (lost: number, before: number, share: number) => lost > before * share;

function topTool({ inForce, offered }: Compared): string | null {
  if (!inForce) return null;
  const lost = new Set(lostPrograms(inForce, offered));
  const lostTools = topTools.filter((tool) => lost.has(tool));
  return lostTools.length > 0 ? `It no longer knows ${some(lostTools)}, of the ${topTools.length} programs that scammers use most.` : null;
}

function shrunk({ inForce, offered, sites }: Compared): string | null {
  if (!inForce) return null;
  const identifiers = ({ commands }: Recognition) => commands.patterns.map(({ identifier }) => identifier);
  const losses: [string, number, string[]][] = [
    ['programs and scams', inForce.definitions.length, lostPrograms(inForce, offered)],
    ['patterns of commands', inForce.commands.patterns.length, missing(identifiers(inForce), identifiers(offered))],
    ['programs that start commands', startsOf(inForce).length, missing(startsOf(inForce), startsOf(offered))],
    ['money sites', domainsOf(inForce).length, missing(domainsOf(inForce), domainsOf(offered))],
    ['tunnels', tunnelsOf(inForce).length, missing(tunnelsOf(inForce), tunnelsOf(offered))],
    ['imitated brands', inForce.names.brands.length, missing(brandNames(inForce), brandNames(offered))],
  ];
  const loss = losses.find(([, before, lost]) => isLost(lost.length, before, maxLoss));
  if (loss) return `It has lost ${loss[2].length} of ${loss[1]} ${loss[0]}, more than a tenth: ${some(loss[2])}.`;
  const size = sites.offered?.size ?? 0;
  return isLost(sites.before - size, sites.before, maxSitesLoss) ? `Its list has ${size} sites, and had ${sites.before}.` : null;
}

function grown({ inForce, offered, sites }: Compared): string | null {
  if (!inForce) return null;
  const counts: [string, number, number][] = [
    ['programs and scams', inForce.definitions.length, offered.definitions.length],
    ['patterns of commands', inForce.commands.patterns.length, offered.commands.patterns.length],
    ['money sites', domainsOf(inForce).length, domainsOf(offered).length],
    ['tunnels', tunnelsOf(inForce).length, tunnelsOf(offered).length],
    ['imitated brands', inForce.names.brands.length, offered.names.brands.length],
    ['sites', sites.before, sites.offered?.size ?? 0],
  ];
  const growth = counts.find(([, before, after]) => before > 0 && after >= before * maxGrowth);
  return growth ? `It has ${growth[2]} ${growth[0]}, and had ${growth[1]}: ten times as many.` : null;
}

/** In this order, since the later ones compile what the first ones have checked. */
const harms: ((compared: Compared) => string | null)[] = [malformed, neededSite, harmlessProgram, harmlessCommand, harmlessName];
const surprises = [topTool, shrunk, grown];

/**
 * A sentence for the operator why an offered set is not taken in the place of `inForce` (null: nothing is in force yet), or null. It does not
 * ask who signed them: `publish` asks before it writes, a server before it takes (P16.1). `accepted`: somebody knows why so much is gone or
 * has come; what would harm is refused even then. Takes a fraction of a second for all that ships. Throws for a list that cannot be read.
 */
export function refusalOf(inForce: Offer | null, offered: Offer, accepted = false): string | null {
  const sizeBefore = inForce?.sites ? readSiteList(inForce.sites).size : 0;
  const compared: Compared = {
    ...{ inForce: inForce && inForce.recognition, offered: offered.recognition },
    sites: { before: sizeBefore, offered: offered.sites && readSiteList(offered.sites) },
  };
  for (const check of accepted ? harms : [...harms, ...surprises]) {
    const sentence = check(compared);
    if (sentence !== null) return sentence;
  }
  return null;
}
