import { existsSync, readFileSync } from 'node:fs';
import type { ProgramSeen } from '../format.ts';

/** Folder with real programs and sites for measuring, outside the repository. */
const folder = ['../../../shared/data/', '../../../../shared/data/']
  .map((up) => new URL(up, import.meta.url))
  .find((url) => existsSync(new URL('benign-processes.tsv', url)));

export const sharedDataIsThere = folder !== undefined;
if (!folder) console.log('skipped: the lists of harmless programs and of tools do not lie beside the repository');

export function readSharedBytes(file: string): Buffer {
  if (!folder) throw new Error('The shared data do not lie beside the repository.');
  return readFileSync(new URL(file, folder));
}

export const readShared = (file: string): string => readSharedBytes(file).toString('utf8');

const rows = (file: string) =>
  readShared(file)
    .trim()
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()));

/** Leaves out empty cells, which are unknown values. */
function withoutUnknown(facts: Record<string, string | undefined>): ProgramSeen {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value)) as unknown as ProgramSeen;
}

export function benignPrograms(): ProgramSeen[] {
  const [head = [], ...programs] = rows('benign-processes.tsv');
  return programs.map((row) => {
    const cell = (name: string) => row[head.indexOf(name)];
    const os = cell('os') === 'macos' ? 'macos' : 'windows';
    const signed = cell('signer_or_teamid');
    const team_id = /^TeamID (\w{10})/.exec(signed ?? '')?.[1];
    return withoutUnknown({
      os,
      name: cell('name') ?? '',
      original_name: cell('original_filename'),
      product: cell('product'),
      company: cell('company'),
      signer: team_id ? undefined : signed,
      team_id,
    });
  });
}

export function benignProducts(): string[] {
  return rows('benign-software.tsv')
    .slice(1)
    .flatMap(([, name]) => (name ? [name] : []));
}

export const benignDomains = (): string[] => rows('benign-domains.txt').flatMap(([host]) => (host ? [host] : []));

export const falsePositives = (): string[] =>
  rows('scam-list-false-positives.tsv')
    .slice(1)
    .flatMap(([host]) => (host ? [host] : []));

export function benignProductsSeen(): ProgramSeen[] {
  return benignProducts().flatMap((product): ProgramSeen[] => [
    { os: 'windows', name: 'program.exe', product },
    { os: 'windows', name: product },
    { os: 'windows', name: `${product}.exe` },
    { os: 'macos', name: product },
    { os: 'linux', name: product },
  ]);
}
