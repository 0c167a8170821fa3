import type { AllowListEntryType, AllowListProgram } from '@porchlight/contract/allow-list.ts';
import type { Category } from '@porchlight/contract/shapes.ts';
import { readWebsite, suggestWebsite } from '@porchlight/contract/websites.ts';

export interface Hit {
  type: AllowListEntryType;
  identifier: string;
  name: string;
  category: Category | null;
  allowed: boolean;
}

export interface Found {
  hits: Hit[];
  /** A probably intended website if nothing else was found (5.25). */
  suggestion: string | null;
}

type Listed = { type: string; identifier: string };

/** Finds a website (5.24), or programs whose name contains the text, regardless of spaces, dashes and case. */
export function search(typedText: string, programs: AllowListProgram[], listed: Listed[]): Found {
  const isAllowed = (type: AllowListEntryType, identifier: string) => listed.some((one) => isSameEntry(one, { type, identifier }));
  const website = readWebsite(typedText);
  const searchText = toSearchText(typedText);
  const hits: Hit[] = programs
    .filter(({ name, identifier }) => searchText !== '' && [name, identifier].some((text) => toSearchText(text).includes(searchText)))
    .sort((a, b) => Number(toSearchText(b.name).startsWith(searchText)) - Number(toSearchText(a.name).startsWith(searchText)))
    .map((program) => ({ ...program, type: 'definition', allowed: isAllowed('definition', program.identifier) }));
  if (website) {
    hits.unshift({
      type: 'domain',
      identifier: website,
      name: displayName(typedText, website),
      category: null,
      allowed: isAllowed('domain', website),
    });
  }
  return { hits, suggestion: hits.length ? null : suggestWebsite(typedText) };
}

/** Clause 5.27. */
export function isSameEntry(a: Listed, b: Listed): boolean {
  return a.type.toLowerCase() === b.type.toLowerCase() && a.identifier.toLowerCase() === b.identifier.toLowerCase();
}

const toSearchText = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The website as typed, since its ASCII form may be unrecognizable. */
function displayName(typedText: string, website: string): string {
  const host = /^(?:https?:\/\/)?(?:www\.)?([^/?#:]+)/i.exec(typedText.trim())?.[1]?.toLowerCase();
  return website.includes('xn--') && host ? host : website;
}
