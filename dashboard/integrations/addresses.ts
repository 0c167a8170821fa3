/** The parts of an address that third parties may see (7.39): the route, but no ids or names in it. */

export interface Place {
  /** The page's origin: `https://www.example.org`. */
  origin: string;
  /** The route of an address below /dashboard: `/devices/x` is `/devices/:deviceId`. */
  patternOf(path: string): string;
}

/** The only query parameters that are sent: they name the link or campaign. */
const reportedParameters = ['ref', 'referrer', 'source', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];

const base = '/dashboard';
const email = /(?<![\w.+-])[\w.+-]+(?:@|%40)(?:[\w-]+\.)+[a-z]{2,}/gi;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const address = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>()\\]+|(?<![\w.:/*-])\/(?:dashboard|api)(?![\w-])[^\s"'<>()\\]*/g;
const bareQuery = /"\?[^"\\]*"/g;
/** A selector such as `[title="…"]`: an element's description may contain personal data. */
const elementMessage = /\[[\w-]+=\\?"[^"]*"\]/g;

/** Cleans an address: pages by route, API calls by pattern, other hosts by name. */
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

/** Cleans the addresses in any text, JSON too, and removes emails and ids. */
export function cleanText(text: string, place: Place): string {
  return text
    .replace(address, (url) => cleanAddress(url, place))
    .replace(bareQuery, '"?"')
    .replace(elementMessage, '')
    .replace(email, ':email')
    .replace(uuid, ':uuid');
}

function cleanQuery(query: URLSearchParams): string {
  const reportedValues = reportedParameters.flatMap((name) => {
    const value = query.get(name);
    return value && !value.includes('@') ? [[name, value]] : [];
  });
  return reportedValues.length ? `?${new URLSearchParams(reportedValues)}` : '';
}

/** Anything but a plain word counts as an id. */
function shapeOf(segment: string): string {
  return /^([a-z]+(-[a-z]+)*|v\d|[a-z_]+\.json)?$/.test(segment) ? segment : ':id';
}
