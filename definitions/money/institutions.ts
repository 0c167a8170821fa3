import { z } from 'zod';
import { canonicalHost } from '../sites/host.ts';
import { nearestParent } from '../sites/parent-domains.ts';
import { isSharedHost, registrableDomain } from '../sites/public-suffix.ts';
import { moneyKinds } from './format.ts';
import shipped from './institutions.json' with { type: 'json' };

const source = z.strictObject({
  name: z.string().min(1),
  home: z.url().nullable(),
  /** SPDX identifier; null where facts were read and nothing was copied. */
  licence: z.string().min(1).nullable(),
});

const institution = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(moneyKinds),
  /** ISO 3166-1 alpha-2 codes of its main markets; empty if it serves most of the world. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/)),
  /** Canonical hosts without `www.`. Each one includes its subdomains. */
  domains: z.array(z.string().min(1)).min(1),
  /** Identifiers of the sources that name these domains. */
  sources: z.array(z.string()).min(1),
});

const institutionFile = z.strictObject({ sources: z.record(z.string(), source), institutions: z.array(institution) });

export type Institution = z.infer<typeof institution>;
export type InstitutionFile = z.infer<typeof institutionFile>;

/** Throws with path and reason for a malformed file. */
export function parseInstitutions(raw: unknown): InstitutionFile {
  return institutionFile.parse(raw);
}

export function readInstitutions(): InstitutionFile {
  return parseInstitutions(shipped);
}

const sortKey = ({ kind, name }: Institution) => `${moneyKinds.indexOf(kind)} ${name.toLowerCase()}`;

function domainProblem(domain: string): string | null {
  const read = canonicalHost(domain);
  if ('wrong' in read) return read.wrong;
  if (read.kind === 'address') return 'it is an address, not a name';
  if (read.host !== domain) return `its canonical form is ${read.host}`;
  if (domain.startsWith('www.')) return 'www. is left out, since subdomains are included';
  if (isSharedHost(domain)) return 'names below it belong to different owners';
  return registrableDomain(domain) === null ? 'nobody can register it' : null;
}

/** What is wrong with the data beyond its shape, one sentence for each problem. */
export function institutionProblems({ sources, institutions }: InstitutionFile): string[] {
  const problems: string[] = [];
  const owners = new Map(institutions.flatMap(({ name, domains }) => domains.map((domain) => [domain, name] as const)));
  const seen = new Set<string>();
  const usedSources = new Set<string>();
  const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  for (const [index, current] of institutions.entries()) {
    const { name, countries, domains } = current;
    const previous = institutions[index - 1];
    if (previous && sortKey(previous) > sortKey(current)) problems.push(`${name}: must come before ${previous.name} (kind, then name)`);
    for (const country of countries) if (regionNames.of(country) === undefined) problems.push(`${name}: there is no country ${country}`);
    for (const domain of domains) {
      const problem = domainProblem(domain);
      if (problem !== null) problems.push(`${name}: ${domain}: ${problem}`);
      if (seen.has(domain)) problems.push(`${name}: ${domain}: is listed twice`);
      seen.add(domain);
      const parent = nearestParent(domain, (host) => (host !== domain && owners.has(host) ? host : undefined));
      if (parent !== undefined) problems.push(`${name}: ${domain}: ${parent} of ${owners.get(parent)} includes it`);
    }
    for (const id of current.sources) {
      usedSources.add(id);
      if (!Object.hasOwn(sources, id)) problems.push(`${name}: there is no source ${id}`);
    }
  }
  for (const id of Object.keys(sources)) if (!usedSources.has(id)) problems.push(`source ${id}: no institution uses it`);
  return problems;
}
