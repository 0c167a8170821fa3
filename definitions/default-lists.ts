import type { ListFormat } from './importers/import-list.ts';

/** A list of sites that a server fetches daily. The format `keep` marks sites that no other list may block. */
export interface PublishedList {
  url: string;
  format: ListFormat | 'keep';
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
