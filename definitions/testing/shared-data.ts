import { existsSync, readFileSync } from 'node:fs';
import type { ProgramSeen } from '../format.ts';

/** Lists of real programs and sites for measuring, that lie beside the repository and are no part of it. Null where they are not there. */
const folder = ['../../../shared/data/', '../../../../shared/data/']
  .map((up) => new URL(up, import.meta.url))
  .find((url) => existsSync(new URL('benign-processes.tsv', url)));

export const sharedDataIsThere = folder !== undefined;
if (!folder) console.log('skipped: the lists of harmless programs and of tools do not lie beside the repository');

export function readShared(file: string): string {
  if (!folder) throw new Error('The shared data do not lie beside the repository.');
  return readFileSync(new URL(file, folder), 'utf8');
}

const rows = (file: string) =>
  readShared(file)
    .trim()
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()));

/** Leaves out what is not known: an empty cell is not an empty name. */
function known(seen: Record<keyof ProgramSeen, string | undefined>): ProgramSeen {
  return Object.fromEntries(Object.entries(seen).filter(([, value]) => value)) as unknown as ProgramSeen;
}

/** Harmless programs as their systems show them. */
export function benignPrograms(): ProgramSeen[] {
  const [head = [], ...programs] = rows('benign-processes.tsv');
  return programs.map((row) => {
    const cell = (name: string) => row[head.indexOf(name)];
    const os = cell('os') === 'macos' ? 'macos' : 'windows';
    const signed = cell('signer_or_teamid');
    const team_id = /^TeamID (\w{10})/.exec(signed ?? '')?.[1];
    return known({
      os,
      name: cell('name') ?? '',
      path: undefined,
      original_name: cell('original_filename'),
      product: cell('product'),
      company: cell('company'),
      signer: team_id ? undefined : signed,
      team_id,
      bundle_id: undefined,
      sha256: undefined,
    });
  });
}

/** Names of ordinary products. */
export function benignProducts(): string[] {
  return rows('benign-software.tsv')
    .slice(1)
    .flatMap(([, name]) => (name ? [name] : []));
}

/** The most visited hosts. */
export const benignDomains = (): string[] => rows('benign-domains.txt').flatMap(([host]) => (host ? [host] : []));

/** Names that public lists of scam sites carry and should not. */
export const falsePositives = (): string[] =>
  rows('scam-list-false-positives.tsv')
    .slice(1)
    .flatMap(([host]) => (host ? [host] : []));

/** An ordinary product as a program might show it: as its own product name, and as the name of its file. */
export function benignProductsSeen(): ProgramSeen[] {
  return benignProducts().flatMap((product): ProgramSeen[] => [
    { os: 'windows', name: 'program.exe', product },
    { os: 'windows', name: product },
    { os: 'windows', name: `${product}.exe` },
    { os: 'macos', name: product },
    { os: 'linux', name: product },
  ]);
}
