import type { ListFormat } from './importers/import-list.ts';

/**
 * A list of sites that a server fetches daily. The format `keep` marks sites that no other list may block; `deny` is JSON with the names in
 * `deny`; `young` has sites that were registered a few days ago, which are paused for some computers, and blocked for none (P16.3).
 */
export interface PublishedList {
  url: string;
  format: ListFormat | 'keep' | 'deny' | 'young';
}

export interface DefaultList extends PublishedList {
  name: string;
  /** SPDX identifier. */
  licence: string;
  purpose: string;
}

const onGitHub = 'https://raw.githubusercontent.com/';

/** The lists of a server without `SITE_LISTS` (P12.1): maintained, and under licences that allow everyone to use and pass them on. */
export const defaultLists: readonly DefaultList[] = [
  {
    name: 'DurableNapkin scam blocklist',
    url: `${onGitHub}durablenapkin/scamblocklist/master/hosts.txt`,
    format: 'hosts',
    licence: 'MIT',
    purpose: 'tech-support scams, fake shops and fake prizes',
  },
  {
    name: 'ShadowWhisperer: Scam',
    url: `${onGitHub}ShadowWhisperer/BlockLists/master/RAW/Scam`,
    format: 'plain',
    licence: 'Unlicense',
    purpose: 'fake shops, advance payments and other scams',
  },
  {
    name: 'infinitytec: scams and phishing',
    url: `${onGitHub}infinitytec/blocklists/master/scams-and-phishing.txt`,
    format: 'adblock',
    licence: 'MIT',
    purpose: 'phishing and pages that imitate companies',
  },
  {
    name: 'Global Anti-Scam Organization',
    url: `${onGitHub}elliotwutingfeng/GlobalAntiScamOrg-blocklist/main/global-anti-scam-org-scam-urls-pihole.txt`,
    format: 'plain',
    licence: 'BSD-3-Clause',
    purpose: 'investment and romance scams, fake exchanges',
  },
  {
    name: 'Maltrail: browser lockers',
    url: `${onGitHub}stamparm/maltrail/master/trails/static/malicious/browser_locker.txt`,
    format: 'plain',
    licence: 'MIT',
    purpose: 'pages that fill the screen with a false virus warning and a phone number',
  },
  {
    name: 'Maltrail: fake apps',
    url: `${onGitHub}stamparm/maltrail/master/trails/static/malware/fakeapp.txt`,
    format: 'plain',
    licence: 'MIT',
    purpose: 'apps and websites that imitate known ones',
  },
  {
    name: 'Maltrail: fake antivirus programs',
    url: `${onGitHub}stamparm/maltrail/master/trails/static/malware/fakeav.txt`,
    format: 'plain',
    licence: 'MIT',
    purpose: 'false virus scanners',
  },
  {
    name: 'Maltrail: unwanted programs',
    url: `${onGitHub}stamparm/maltrail/master/trails/static/suspicious/pua.txt`,
    format: 'plain',
    licence: 'MIT',
    purpose: 'downloads that bring unwanted programs with them',
  },
  {
    name: 'ShadowWhisperer: Malware',
    url: `${onGitHub}ShadowWhisperer/BlockLists/master/RAW/Malware`,
    format: 'plain',
    licence: 'Unlicense',
    purpose: 'malicious downloads and fake pages',
  },
  {
    name: 'Phishing.Database: active domains',
    url: `${onGitHub}Phishing-Database/Phishing.Database/master/phishing-domains-ACTIVE.txt`,
    format: 'plain',
    licence: 'MIT',
    purpose: 'phishing',
  },
  {
    name: 'The Block List Project: phishing',
    url: `${onGitHub}blocklistproject/Lists/main/alt-version/phishing-nl.txt`,
    format: 'plain',
    licence: 'Unlicense',
    purpose: 'phishing',
  },
  {
    name: 'The Block List Project: scam',
    url: `${onGitHub}blocklistproject/Lists/main/alt-version/scam-nl.txt`,
    format: 'plain',
    licence: 'Unlicense',
    purpose: 'fake shops and other scams',
  },
  {
    name: 'ChongLuaDao',
    url: `${onGitHub}elliotwutingfeng/ChongLuaDao-Phishing-Blocklist/main/urls-pihole.txt`,
    format: 'plain',
    licence: 'BSD-3-Clause',
    purpose: 'phishing and scams that Vietnamese people reported',
  },
  {
    name: 'Discord phishing links',
    url: `${onGitHub}nikolaischunk/discord-phishing-links/main/txt/domain-list.txt`,
    format: 'plain',
    licence: 'MIT',
    purpose: 'false gifts and sign-ins in chats',
  },
  {
    name: 'polkadot-js phishing',
    url: `${onGitHub}polkadot-js/phishing/master/all.json`,
    format: 'deny',
    licence: 'Apache-2.0',
    purpose: 'pages that steal cryptocurrency',
  },
  {
    name: 'MISP: Cisco Umbrella, 20,000 most visited',
    url: `${onGitHub}MISP/misp-warninglists/main/lists/cisco_top20k/list.json`,
    format: 'keep',
    licence: 'CC0-1.0',
    purpose: 'stay open',
  },
  {
    name: 'MISP: Tranco, 10,000 most visited',
    url: `${onGitHub}MISP/misp-warninglists/main/lists/tranco10k/list.json`,
    format: 'keep',
    licence: 'CC0-1.0',
    purpose: 'stay open',
  },
  {
    name: 'MISP: websites of banks',
    url: `${onGitHub}MISP/misp-warninglists/main/lists/bank-website/list.json`,
    format: 'keep',
    licence: 'CC0-1.0',
    purpose: 'stay open',
  },
];
