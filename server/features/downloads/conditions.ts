import type { IncomingHttpHeaders } from 'node:http';

/** What the conditions of a request come to: `part` only where the part that is wanted is of the file as it is now. */
export type Verdict = 'send' | 'send whole' | 'unchanged' | 'changed';

/**
 * Reads the conditions that name a tag (RFC 9110, section 13), with a strong tag made of the content, and takes them out of `headers`: the
 * library that sends the file knows only a weak tag, made of size and time. Conditions that name a time are left to it.
 */
export function settleConditions(headers: IncomingHttpHeaders, etag: string): Verdict {
  const { 'if-match': match, 'if-none-match': noneMatch, 'if-range': range } = headers;
  if (match !== undefined) {
    if (!names(match, etag)) return 'changed';
    delete headers['if-match'];
  }
  if (noneMatch !== undefined) {
    if (names(noneMatch.replaceAll('W/', ''), etag)) return 'unchanged';
    delete headers['if-none-match'];
    delete headers['if-modified-since'];
  }
  if (typeof range === 'string' && range.includes('"')) {
    if (range.trim() !== etag) return 'send whole';
    delete headers['if-range'];
  }
  return 'send';
}

function names(tags: string, etag: string): boolean {
  return tags.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');
}
