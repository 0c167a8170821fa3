import { hostname, userInfo } from 'node:os';

export interface OwnNames {
  users: string[];
  computers: string[];
  homes: string[];
}

/** Names that every computer has say nothing about anybody, and evidence needs them. */
const commonNames = new Set(['root', 'system', 'administrator', 'admin', 'user', 'public', 'default', 'localhost', 'home', 'porchlight']);

export function ownNames(env: NodeJS.ProcessEnv): OwnNames {
  const computer = hostname();
  return {
    users: [userName(), env.USER, env.LOGNAME, env.USERNAME, env.SUDO_USER].filter((name) => name !== undefined),
    computers: [computer, computer.split('.')[0] ?? '', env.COMPUTERNAME, env.HOSTNAME].filter((name) => name !== undefined),
    homes: [env.HOME, env.USERPROFILE].filter((path) => path !== undefined),
  };
}

/** A user without an entry in the table of users has no name. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** In order: what contains another pattern comes first. */
const patterns: [RegExp, string][] = [
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '<email>'],
  // The secret of a page's address, of a link, and of its signature.
  [/([?&](?:t|code|nonce|signature)=)[^\s&'"]+/gi, '$1<secret>'],
  [/\b[A-Z0-9]{4}-[A-Z0-9]{4}\b(?!-)/gi, '<code>'],
  [/^([ \t]*(?:SSID|BSSID|Profile|Current Wi-Fi Network)\s*:\s*).*$/gim, '$1<network>'],
  // The domain of a home network is often the name of the people in it.
  [/^([ \t]*(?:search domain\[\d+\]|domain|search)(?:[ \t]*:)?[ \t]+(?::[ \t]*)?).*$/gim, '$1<network>'],
  [/\bS-1-5-21(-\d+)+/g, '<user id>'],
  [/([A-Z]:\\Users\\)(?!Public\b)[^\\/:*?"<>|\r\n]+/gi, '$1<user>'],
  [/(\/(?:Users|home)\/)(?!Shared\b)[^/\s:'"]+/g, '$1<user>'],
  [/\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi, '<network card>'],
  [/(?<![\w:.])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}(?![\w:])|(?<![\w:.])[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*::[0-9a-f:]*/gi, '<address>'],
  [/(?<![\d.])(?!127\.|0\.0\.0\.0)(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/g, '<address>'],
  // A PIN or a one-time code. Identifiers of processes are shorter, or are not needed.
  [/(?<![\w.-])\d{6,8}(?![\w.-])/g, '<digits>'],
];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Replaces what says who the user is, or how to reach the computer. */
export function redactor({ users, computers, homes }: OwnNames): (text: string) => string {
  const named = (names: string[]) => names.filter((name) => name.length > 1 && !commonNames.has(name.toLowerCase()));
  const homePaths = homes.filter((home) => home.length > 3 && !['/root', '/var/root'].includes(home));
  const replacements: [RegExp, string][] = [
    ...homePaths.map((home): [RegExp, string] => [new RegExp(escaped(home), 'gi'), '<home>']),
    ...named(computers).map((name): [RegExp, string] => [wholeName(name), '<computer>']),
    [/<computer>\\[^:\r\n]+/g, '<computer>\\<user>'],
    ...named(users).map((name): [RegExp, string] => [wholeName(name), '<user>']),
    ...patterns,
  ];
  return (text) => replacements.reduce((redacted, [pattern, placeholder]) => redacted.replace(pattern, placeholder), text);
}

/** A short name is also part of other words, so only the whole name counts. */
const wholeName = (name: string) => new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(name)}(?![\\p{L}\\p{N}_])`, 'giu');
