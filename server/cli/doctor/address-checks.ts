import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import { counted } from '@porchlight/contract/language.ts';
import { day } from '@porchlight/contract/time.ts';
import type { z } from 'zod';
import { type Config, isLoopback } from '../../config.ts';
import type { Db } from '../../db/open.ts';
import { isFarCaller } from '../../http/caller-of.ts';
import { unreadableHeader, unreadableInWords } from '../../http/unreadable-callers.ts';
import { type AddressAnswer, askAddress, type Certificate, certificateFault } from '../../lib/ask-address.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Network } from '../network.ts';
import { type Check, error, type Finding, ok, reasonOf, unknown, warning } from './check.ts';
import type { OpenedDatabase } from './database-checks.ts';

/** In days. Certificates are renewed a month before their end, so that at three weeks something is wrong. */
const certificateDays = { warning: 21, error: 3 };

export interface PublicAddress {
  url: URL;
  addresses(): Promise<string[]>;
  /** The answer of `/readyz`, asked for once. */
  readyz(): Promise<AddressAnswer>;
  page(): Promise<AddressAnswer>;
}

/** All checks share the answers. `signal`: ends the calls. */
export function publicAddress({ public_url }: Config, network: Network, signal: AbortSignal): PublicAddress {
  const url = new URL(public_url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const ask = (path: string) => once(() => askAddress(new URL(path, url), network, signal));
  return {
    url,
    addresses: once(async () => (isIP(host) ? [host] : network.addressesOf(host))),
    readyz: ask('/readyz'),
    page: ask('/dashboard'),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

export function addressChecks(config: Config, address: PublicAddress, clock: Clock, database: Promise<OpenedDatabase>): Check[] {
  const { public_url } = config;
  const needs = ['PUBLIC_URL'] satisfies Check['needs'];
  return [
    { id: 'address.name', needs, run: () => nameFinding(address) },
    { id: 'address.certificate', needs, run: () => certificateOf(address, public_url, clock.now()) },
    { id: 'address.service', needs, run: () => serviceFinding(address, public_url) },
    {
      id: 'address.identity',
      late: 'unknown',
      needs,
      after: database,
      async run() {
        const page = await address.page().catch(() => null);
        return page ? identityFinding(page, public_url, (await database).db) : unknown(`Nothing answers at ${public_url}.`);
      },
    },
    {
      id: 'address.proxy',
      needs: [...needs, 'TRUST_PROXY', 'PORT'],
      run: async () => proxyFinding(config, await address.addresses().catch(() => []), ownAddresses()),
    },
    {
      id: 'address.callers',
      late: 'unknown',
      needs: ['TRUST_PROXY'],
      after: database,
      run: async () => callersFinding(config, (await database).db, clock),
    },
  ];
}

export const ownAddresses = () => Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => one.address));

async function nameFinding({ url: { hostname }, addresses }: PublicAddress): Promise<Finding> {
  const found = await addresses().catch((err: unknown) => reasonOf(err));
  if (typeof found === 'string')
    return error(`${hostname}, the name in PUBLIC_URL, has no address (${found}). Add its A or AAAA record in DNS, or correct PUBLIC_URL.`);
  const text = isIP(hostname) ? `PUBLIC_URL leads to ${hostname}` : `${hostname} is at ${found.join(', ')}`;
  if (isLoopback(`http://${hostname}`)) return ok(`${text}: only this computer can reach this server.`);
  if (found.every((one) => isLoopback(`http://${one.includes(':') ? `[${one}]` : one}`)))
    return unknown(`${text} for this computer. Check from another computer that the name leads here.`);
  return ok(found.some(isFarCaller) ? `${text}.` : `${text}: only the local network can reach this server.`);
}

async function certificateOf({ readyz, url }: PublicAddress, public_url: string, now: Date): Promise<Finding> {
  if (url.protocol === 'http:') {
    if (isLoopback(public_url)) return ok('Without https nothing leaves this computer.');
    return warning(
      `PUBLIC_URL is ${public_url}: passwords and codes go over the network without encryption. Put a proxy with a certificate in front.`,
    );
  }
  const { certificate } = await readyz().catch(() => ({ certificate: null }));
  return certificate
    ? certificateFinding(certificate, now)
    : error(`No TLS answers at ${public_url}, so there is no certificate to check.`);
}

export function certificateFinding({ ends, problem }: Certificate, now: Date): Finding {
  const until = ends.toISOString().slice(0, 10);
  if (problem !== null)
    return error(
      `The certificate ${certificateFault(problem)}; it ends on ${until}. Browsers and agents refuse this server. Renew it, and reload the proxy.`,
    );
  const days = Math.floor((ends.getTime() - now.getTime()) / day);
  const text = `The certificate is valid for ${counted(days, 'more day')}, until ${until}`;
  if (days < certificateDays.error)
    return error(`${text}. Renew it now, and reload the proxy: after that browsers and agents refuse this server.`);
  if (days < certificateDays.warning) return warning(`${text}. Its renewal should have run by now; see the log of what renews it.`);
  return ok(`${text}.`);
}

async function serviceFinding({ readyz }: PublicAddress, public_url: string): Promise<Finding> {
  const answer = await readyz().catch((err: unknown) => reasonOf(err));
  const place = `${public_url}/readyz`;
  if (typeof answer === 'string')
    return error(
      `Nothing answers at ${place} (${answer}). Start the server, and check that the proxy and the firewall let this address through.`,
    );
  const { status, body } = answer;
  if (status === 200 && body === '{"ok":true}') return ok(`The server answers at ${place} and can write to its database.`);
  if (status === 503 && body === '{"ok":false}')
    return error('The server runs and cannot write to its database. See its log, and the checks of the database here.');
  if (status >= 300 && status < 400)
    return error(
      `${place} redirects to ${answer.headers.location ?? 'another address'}. Set PUBLIC_URL to the address that people end at; agents follow no redirection.`,
    );
  return error(
    `Something else than this server answers at ${place} (status ${status}). If it is the proxy, let it pass every path on to this server.`,
  );
}

/** The settings in a page are public, and the push key in them is that of one database alone. */
async function identityFinding({ status, body }: AddressAnswer, public_url: string, db: Db | null): Promise<Finding> {
  const settings = settingsInPage(body);
  if (!settings) {
    if (status === 503 && /dashboard is not built/.test(body))
      return error('The dashboard is not built, so people see no page. Run: npm run build');
    return unknown(
      `The page at ${public_url}/dashboard is not the dashboard (status ${status}), so it cannot be seen whose server answers.`,
    );
  }
  if (settings.host !== public_url)
    return error(
      `The server at ${public_url} takes its address for ${settings.host}. It runs with other settings than these; set PUBLIC_URL alike, and restart it.`,
    );
  const row = await db?.selectFrom('server_keys').select('public_key').where('purpose', '=', 'push').executeTakeFirst();
  if (!settings.push || !row)
    return unknown(`A Porchlight with this PUBLIC_URL answers; that it uses this database cannot be seen from here.`);
  if (settings.push.public_key !== row.public_key)
    return error(`The server at ${public_url} uses another database than this one. Set DATABASE_URL or DATA_DIR as that server has it.`);
  return ok('The server that answers uses this database.');
}

async function callersFinding({ trust_proxy }: Config, db: Db | null, clock: Clock): Promise<Finding> {
  if (trust_proxy === 0) return ok('The address of a caller is that of the connection.');
  if (!db) return unknown('Without the database it is not known whether the addresses that the proxy writes could be read.');
  const header = await unreadableHeader(db, clock);
  return header === null
    ? ok('Every address that the proxy wrote in the last seven days could be read.')
    : error(unreadableInWords(header));
}

const pageSettings = dashboardConfig.pick({ host: true, push: true });

/** Null for the page of another program. */
function settingsInPage(html: string): z.infer<typeof pageSettings> | null {
  const json = /<script type="application\/json" id="config">([^<]*)<\/script>/.exec(html)?.[1];
  try {
    return json === undefined ? null : pageSettings.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/**
 * Only what is certain: this server speaks no TLS, so before an https address there is a proxy; and where the address leads to its own port,
 * there is none. No answer of the server contains the caller's address, and none should.
 */
export function proxyFinding(
  { public_url, trust_proxy, port }: Pick<Config, 'public_url' | 'trust_proxy' | 'port'>,
  addresses: string[],
  own: string[],
): Finding {
  const url = new URL(public_url);
  const isProxied = url.protocol === 'https:';
  const isDirect = !isProxied && Number(url.port || 80) === port && addresses.some((one) => own.includes(one));
  if (isProxied && trust_proxy === 0)
    return error(
      'PUBLIC_URL is https and this server speaks http, so a proxy is in front, and TRUST_PROXY is off: all people share one address, and ten logins a minute lock everybody out. Set TRUST_PROXY=on.',
    );
  if (isDirect && trust_proxy > 0)
    return warning(
      `PUBLIC_URL leads to this server's own port, and TRUST_PROXY is on: callers can invent their address, and no limit stops them. Remove TRUST_PROXY.`,
    );
  if (trust_proxy > 0)
    return ok(
      `The address that ${trust_proxy === 1 ? 'one proxy' : `${trust_proxy} proxies`} in front report is believed. How many there are cannot be seen from here; nobody else may reach port ${port}.`,
    );
  if (isDirect || isLoopback(public_url)) return ok('No proxy is in front, and no reported address is believed.');
  return unknown('Whether a proxy is in front cannot be seen from here. If one is, set TRUST_PROXY=on.');
}
