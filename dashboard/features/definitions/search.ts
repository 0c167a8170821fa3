import type { Family } from '@porchlight/contract/definitions.ts';

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The families whose name, or what else they are called, has what was typed; without regard to spaces, dashes and case. Names that begin with it come first. */
export function searchFamilies(typed: string, families: Family[]): Family[] {
  const wanted = plain(typed);
  const names = ({ name, identifier, aliases }: Family) => [name, identifier, ...aliases].map(plain);
  const begins = (family: Family) => Number(wanted !== '' && names(family).some((name) => name.startsWith(wanted)));
  return families.filter((family) => names(family).some((name) => name.includes(wanted))).toSorted((a, b) => begins(b) - begins(a));
}
