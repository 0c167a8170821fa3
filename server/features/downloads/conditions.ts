import type { IncomingHttpHeaders } from 'node:http';

/** The verdict `send` permits a range; `send whole` does not. */
export type Verdict = 'send' | 'send whole' | 'unchanged' | 'changed';

/**
 * Checks a request's conditions that have a tag (RFC 9110, section 13) and removes them from `headers`, because the library that sends the file knows
 * only weak tags. Conditions with a time are left to the library.
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
