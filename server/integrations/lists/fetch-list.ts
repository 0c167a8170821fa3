import { lookup as lookUpName } from 'node:dns';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Fetched, FetchList } from './lists.ts';

export interface FetchPolicy {
  /** Also allows http and internal addresses: only for tests, whose list servers are local. */
  allowInternal: boolean;
  max: number;
  /** In milliseconds, for the whole fetch. */
  timeoutMs: number;
}

const redirectsMax = 3;
export const internetOnly: FetchPolicy = { allowInternal: false, max: 50 * 1024 * 1024, timeoutMs: 120_000 };

/** Local, private and special addresses (RFC 6890), against SSRF. */
const internal = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  internal.addSubnet(net, bits, 'ipv4');
// IPv6 addresses outside 2000::/3 are local, or embed an IPv4 address.
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2002::', 16],
  ['2001::', 23],
] as const)
  internal.addSubnet(net, bits, 'ipv6');

export const isInternal = (address: string): boolean =>
  isIP(address) === 6 ? !publicV6.check(address, 'ipv6') || internal.check(address, 'ipv6') : internal.check(address, 'ipv4');

/** The connection uses the checked address, so that a second lookup cannot differ. */
const lookUpPublic: LookupFunction = (host, options, callback) =>
  lookUpName(host, { ...options, all: true }, (err, addresses) => {
    const firstAddress = addresses?.[0];
    if (err || !firstAddress) return callback(err ?? new Error(`${host} has no address`), '', 4);
    const internalAddress = addresses.find(({ address }) => isInternal(address));
    if (internalAddress) return callback(new Error(`${host} leads to ${internalAddress.address}, which is not in the internet`), '', 4);
    return options.all ? callback(null, addresses) : callback(null, firstAddress.address, firstAddress.family);
  });

/** Fetches over HTTPS, only from the internet, and at most `max` bytes. */
export function listFetcher({ allowInternal, max, timeoutMs }: FetchPolicy = internetOnly): FetchList {
  const request = (url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> => {
    const isHttps = url.protocol === 'https:';
    if (!isHttps && !allowInternal) throw new Error('it does not lead to https://');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!allowInternal && isIP(host) && isInternal(host)) throw new Error(`${host} is not in the internet`);
    return new Promise((resolve, reject) => {
      const options = { headers, signal, ...(allowInternal ? {} : { lookup: lookUpPublic }) };
      (isHttps ? getSecure : getPlain)(url, options, resolve).once('error', reject);
    });
  };
  const readBody = async (answer: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let length = Number(answer.headers['content-length'] ?? 0) > max ? max + 1 : 0;
    for await (const chunk of length > max ? [] : (answer as AsyncIterable<Buffer>)) {
      length += chunk.length;
      if (length > max) break;
      chunks.push(chunk);
    }
    answer.destroy();
    if (length > max) throw new Error(`it is larger than ${Math.floor(max / 1024 / 1024)} MB`);
    return Buffer.concat(chunks);
  };

  return async (address, cached, stop): Promise<Fetched> => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
    const headers = {
      'user-agent': 'Porchlight',
      ...(cached.etag ? { 'if-none-match': cached.etag } : {}),
      ...(cached.last_modified ? { 'if-modified-since': cached.last_modified } : {}),
    };
    let url = new URL(address);
    for (let redirects = 0; ; redirects++) {
      const answer = await request(url, headers, signal);
      const { statusCode = 0, headers: responseHeaders } = answer;
      if (statusCode === 304) {
        answer.destroy();
        return { state: 'unchanged' };
      }
      if (statusCode === 200) {
        const { etag = null, 'last-modified': last_modified = null, 'content-type': type = '' } = responseHeaders;
        return { state: 'new', body: await readBody(answer), type, etag, last_modified };
      }
      answer.destroy();
      if (![301, 302, 303, 307, 308].includes(statusCode) || !responseHeaders.location)
        throw new Error(`its server answered ${statusCode}`);
      if (redirects === redirectsMax) throw new Error(`it is redirected more than ${redirectsMax} times`);
      url = new URL(responseHeaders.location, url);
    }
  };
}
