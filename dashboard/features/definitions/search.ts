import type { PublicDefinition } from '@porchlight/contract/definitions.ts';

const toSearchText = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Definitions whose name or alias contains the text, regardless of spaces, dashes and case. Names that begin with it come first. */
export function searchFamilies(typedText: string, families: PublicDefinition[]): PublicDefinition[] {
  const searchText = toSearchText(typedText);
  const searchTextsOf = ({ name, identifier, aliases }: PublicDefinition) => [name, identifier, ...aliases].map(toSearchText);
  const beginsWithText = (family: PublicDefinition) =>
    Number(searchText !== '' && searchTextsOf(family).some((name) => name.startsWith(searchText)));
  return families
    .filter((family) => searchTextsOf(family).some((name) => name.includes(searchText)))
    .toSorted((a, b) => beginsWithText(b) - beginsWithText(a));
}
