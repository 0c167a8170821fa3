/** What of an address may be told to others (7.39): where it is, never who or what it is about. */

export interface Place {
  /** Of the page: `https://www.example.org`. */
  origin: string;
  /** The route of an address below /dashboard: `/devices/x` is `/devices/:deviceId`. */
  patternOf(path: string): string;
}

/** The only query parameters that leave: those that say which link or campaign brought someone. */
const told = ['ref', 'referrer', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];

const base = '/dashboard';
const email = /[\w.+-]+(?:@|%40)(?:[\w-]+\.)+[a-z]{2,}/gi;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const address = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>()\\]+|(?<![\w.:/*-])\/(?:dashboard|api)(?![\w-])[^\s"'<>()\\]*/g;
const bareQuery = /"\?[^"\\]*"/g;
/** `[title="…"]`: how an element is described, with words that may be about someone. */
const elementMessage = /\[[\w-]+=\\?"[^"]*"\]/g;

/** An address without anyone in it: pages by their route, calls by their shape, other hosts by their name. */
export function cleanAddress(url: string, { origin, patternOf }: Place): string {
  const parsed = URL.parse(url, origin);
  if (!parsed) return '';
  if (!parsed.protocol.startsWith('http')) return parsed.protocol;
  if (parsed.origin !== origin) return parsed.origin;
  const { pathname } = parsed;
  const host = url.startsWith('/') ? '' : origin;
  if (pathname.startsWith(`${base}/assets/`)) return host + pathname;
  if (pathname === base || pathname.startsWith(`${base}/`))
    return host + base + patternOf(pathname.slice(base.length) || '/') + cleanQuery(parsed.searchParams);
  return host + pathname.split('/').map(shapeOf).join('/');
}

/** A text of whatever kind, JSON too, with every address in it cleaned, and no email or id left. */
export function cleanText(text: string, place: Place): string {
  return text
    .replace(address, (url) => cleanAddress(url, place))
    .replace(bareQuery, '"?"')
    .replace(elementMessage, '')
    .replace(email, ':email')
    .replace(uuid, ':uuid');
}

function cleanQuery(query: URLSearchParams): string {
  const kept = told.flatMap((name) => {
    const value = query.get(name);
    return value && !value.includes('@') ? [[name, value]] : [];
  });
  return kept.length ? `?${new URLSearchParams(kept)}` : '';
}

/** A part of a path as it stands in the contract; whatever is not a plain word is taken for an id. */
function shapeOf(part: string): string {
  return /^([a-z]+(-[a-z]+)*|v\d|[a-z_]+\.json)?$/.test(part) ? part : ':id';
}
