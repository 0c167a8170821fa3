import { lookup as lookUpName } from 'node:dns';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Fetched, FetchList } from './lists.ts';

/** What may be asked for. */
export interface FetchPolicy {
  /** Also without encryption, and of this computer and its network: only for tests, whose list servers stand there. */
  anywhere: boolean;
  /** In bytes. */
  max: number;
  /** In milliseconds, for all of it. */
  patience: number;
}

const redirectsMax = 3;
export const outsideOnly: FetchPolicy = { anywhere: false, max: 50 * 1024 * 1024, patience: 120_000 };

/** Addresses that lead to this computer, its network or nowhere (RFC 6890): a list never lies there, and what does is not for us. */
const inside = new BlockList();
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
  inside.addSubnet(net, bits, 'ipv4');
// Of IPv6 only what is public: the rest is local, or leads to an IPv4 address by another name.
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2002::', 16],
  ['2001::', 23],
] as const)
  inside.addSubnet(net, bits, 'ipv6');

export const isInside = (address: string): boolean =>
  isIP(address) === 6 ? !publicV6.check(address, 'ipv6') || inside.check(address, 'ipv6') : inside.check(address, 'ipv4');

/** Looks the name up and refuses what lies inside: the connection goes to the very address that was looked at. */
const lookUpOutside: LookupFunction = (host, options, done) =>
  lookUpName(host, { ...options, all: true }, (err, addresses) => {
    const first = addresses?.[0];
    if (err || !first) return done(err ?? new Error(`${host} has no address`), '', 4);
    const hidden = addresses.find(({ address }) => isInside(address));
    if (hidden) return done(new Error(`${host} leads to ${hidden.address}, which is not in the internet`), '', 4);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });

/** Fetches over HTTPS from the internet and nowhere else, so much and no more. */
export function listFetcher({ anywhere, max, patience }: FetchPolicy = outsideOnly): FetchList {
  const ask = (url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> => {
    const secure = url.protocol === 'https:';
    if (!secure && !anywhere) throw new Error('it does not lead to https://');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!anywhere && isIP(host) && isInside(host)) throw new Error(`${host} is not in the internet`);
    return new Promise((resolve, reject) => {
      const options = { headers, signal, ...(anywhere ? {} : { lookup: lookUpOutside }) };
      (secure ? getSecure : getPlain)(url, options, resolve).once('error', reject);
    });
  };
  const read = async (answer: IncomingMessage): Promise<Buffer> => {
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

  return async (address, known): Promise<Fetched> => {
    const signal = AbortSignal.timeout(patience);
    const headers = {
      'user-agent': 'Porchlight',
      ...(known.etag ? { 'if-none-match': known.etag } : {}),
      ...(known.last_modified ? { 'if-modified-since': known.last_modified } : {}),
    };
    let url = new URL(address);
    for (let redirects = 0; ; redirects++) {
      const answer = await ask(url, headers, signal);
      const { statusCode = 0, headers: said } = answer;
      if (statusCode === 304) {
        answer.destroy();
        return { state: 'unchanged' };
      }
      if (statusCode === 200) {
        const { etag = null, 'last-modified': last_modified = null, 'content-type': type = '' } = said;
        return { state: 'new', body: await read(answer), type, etag, last_modified };
      }
      answer.destroy();
      if (![301, 302, 303, 307, 308].includes(statusCode) || !said.location) throw new Error(`its server answered ${statusCode}`);
      if (redirects === redirectsMax) throw new Error(`it is redirected more than ${redirectsMax} times`);
      url = new URL(said.location, url);
    }
  };
}
