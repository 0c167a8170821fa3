import { canonicalHost } from '../sites/host.ts';

/**
 * Addresses in a command, without those of the same computer or network. `web`: fetched by http, https or ftp, or without a scheme.
 * `network`: a shared folder, `\\host\share`.
 */
export interface FoundAddresses {
  web: string[];
  network: string[];
}

const maxAddresses = 50;
const withScheme = /(?:https?|ftps?):[/\\]{1,6}([^\s/\\|;,()<>{}#?]{1,253})/g;
/** A colon before the signs belongs to a scheme, as in `https:\\`, but for those of files. */
const sharedFolder = /(?:^|location:|file:|[^\\:/a-z0-9])[\\/]{2}([a-z0-9][a-z0-9.@_-]{1,252})[\\/]/g;
/** A connection that bash makes by itself. */
const rawSocket = /\/dev\/(?:tcp|udp)\/([^\s/\\|;,()<>{}]{1,253})/g;
/** What follows a program that fetches, without a scheme. Options are skipped, and their values where they have no dot. */
const fetchers = new Set([
  'iwr',
  'irm',
  'curl',
  'wget',
  'invoke-webrequest',
  'invoke-restmethod',
  'mshta',
  'finger',
  '-uri',
  '-source',
  '-url',
  'start-bitstransfer',
  'msiexec',
  'ssh',
  'nslookup',
  'open',
  '-ur',
  '-i',
  'nc',
  'ncat',
  'netcat',
  'dig',
]);
const bareHost = /^(?:[^@\s]{1,64}@)?((?:[a-z0-9_-]{1,63}\.){1,10}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?(?:\/|$)/;
const fileName =
  /^[^/]*\.(?:exe|dll|ps1|psm1|bat|cmd|vbs|js|jse|hta|msi|zip|txt|log|tmp|dat|bin|py|sh|json|xml|html?|png|jpe?g|lnk|inf|cpl|pif|scr|webclient|dmg|pkg|gz|tar|deb|rpm|conf|config|cfg|command|app)$/;

const privateAddress = /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.|\[::1?\]|\[f[cde])/;
const isLocal = (host: string) =>
  privateAddress.test(host) || host === 'localhost' || /\.(?:localhost|local|lan|home|internal|home\.arpa)$/.test(host);

function hostIn(written: string): string | null {
  const read = canonicalHost(written.replace(/(?<![.:])[.:]+$/, ''));
  return 'host' in read && read.host !== '' ? read.host : null;
}

function bareHosts(text: string): string[] {
  const hosts: string[] = [];
  let follows = 0;
  for (const word of text.split(/[\s|;,()<>{}=]+/)) {
    const name = word.replace(/^.*[\\/]/, '').replace(/\.exe$/, '');
    if (fetchers.has(name)) follows = name === 'mshta' ? 1 : 8;
    else if (follows > 0) {
      follows -= 1;
      const host = word.length <= 2_048 && !fileName.test(word) ? bareHost.exec(word)?.[1] : undefined;
      if (host !== undefined) hosts.push(host);
    }
    if (hosts.length >= maxAddresses) break;
  }
  return hosts;
}

/** `text`: see `withoutQuotes`. */
export function findAddresses(text: string): FoundAddresses {
  const web = new Set<string>();
  const network = new Set<string>();
  const add = (to: Set<string>, host: string | null) => {
    if (host !== null && !isLocal(host) && to.size < maxAddresses) to.add(host);
  };
  for (const [, host = ''] of text.matchAll(withScheme)) add(web, hostIn(host));
  for (const [, host = ''] of text.matchAll(rawSocket)) add(web, hostIn(host));
  for (const host of bareHosts(text)) add(web, hostIn(host));
  for (const [, written = ''] of text.matchAll(sharedFolder)) {
    const [name = '', ...options] = written.split('@');
    // A name without a dot is a computer of the same network, unless the folder is fetched over the web.
    if (name.includes('.') || options.length > 0) add(network, hostIn(name));
  }
  return { web: [...web], network: [...network] };
}
