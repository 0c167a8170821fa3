import type { Allowable, ExceptionType } from '@porchlight/contract/exceptions.ts';
import type { Category } from '@porchlight/contract/shapes.ts';
import { readWebsite, suggestWebsite } from '@porchlight/contract/websites.ts';

export interface Hit {
  type: ExceptionType;
  identifier: string;
  name: string;
  category: Category | null;
  allowed: boolean;
}

export interface Found {
  hits: Hit[];
  /** A website that was probably meant, when nothing else was found (5.25). */
  suggestion: string | null;
}

type Listed = { type: string; identifier: string };

/** What the typed text may mean: a website (5.24), or programs whose name has it; without regard to spaces, dashes and case. */
export function search(typed: string, programs: Allowable[], listed: Listed[]): Found {
  const allowed = (type: ExceptionType, identifier: string) => listed.some((one) => same(one, { type, identifier }));
  const website = readWebsite(typed);
  const wanted = plain(typed);
  const hits: Hit[] = programs
    .filter(({ name, identifier }) => wanted !== '' && [name, identifier].some((text) => plain(text).includes(wanted)))
    .sort((a, b) => Number(plain(b.name).startsWith(wanted)) - Number(plain(a.name).startsWith(wanted)))
    .map((program) => ({ ...program, type: 'definition', allowed: allowed('definition', program.identifier) }));
  if (website) {
    hits.unshift({ type: 'domain', identifier: website, name: shown(typed, website), category: null, allowed: allowed('domain', website) });
  }
  return { hits, suggestion: hits.length ? null : suggestWebsite(typed) };
}

/** 5.27 */
export function same(a: Listed, b: Listed): boolean {
  return a.type.toLowerCase() === b.type.toLowerCase() && a.identifier.toLowerCase() === b.identifier.toLowerCase();
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The website as typed, where its ASCII form would not be recognized. */
function shown(typed: string, website: string): string {
  const host = /^(?:https?:\/\/)?(?:www\.)?([^/?#:]+)/i.exec(typed.trim())?.[1]?.toLowerCase();
  return website.includes('xn--') && host ? host : website;
}
