import type { MacNative } from './native.ts';

const networksetup = '/usr/sbin/networksetup';
const ours = '127.0.0.1';

/** The servers of each network service before they were changed; none means those that the network itself gives. */
export type KeptServers = Record<string, string[]>;

export interface Names {
  /** Whom the system asks now, first to last, ourselves left out. */
  servers(): Promise<string[]>;
  /** Are names asked of this computer first? */
  isOurs(): Promise<boolean>;
  /** Has all names asked of this computer; the ones before are kept by `keep` first. The second entry lets names resolve when nobody answers here. True when it is so. */
  take(): Promise<boolean>;
  /** As it was before. True when it is so. */
  giveBack(): Promise<boolean>;
}

/** Whom a Mac asks for names, for each network service (Wi-Fi, Ethernet …), by networksetup; `kept` and `keep` survive a restart. */
export function macNames(
  native: MacNative,
  kept: () => Promise<KeptServers | null>,
  keep: (servers: KeptServers | null) => Promise<unknown>,
): Names {
  const list = async (args: string[]) => (await native.run(networksetup, args)).out.split('\n').map((line) => line.trim());
  const services = async () => {
    const [, ...lines] = await list(['-listallnetworkservices']);
    // A star stands before one that is switched off.
    return lines.filter(Boolean).map((line) => line.replace(/^\*/, ''));
  };
  const serversOf = async (service: string) =>
    (await list(['-getdnsservers', service])).filter((line) => /^[\da-fA-F.:]+$/.test(line) && /[.:]/.test(line));
  const set = async (service: string, servers: string[]) =>
    (await native.run(networksetup, ['-setdnsservers', service, ...(servers.length ? servers : ['Empty'])])).code === 0;

  const inUse = async () => {
    const { out } = await native.run('/usr/sbin/scutil', ['--dns']);
    // The first resolver is the one for all names; those after it are for single domains.
    const first = out.split(/^resolver #2/m)[0] ?? '';
    return [...first.matchAll(/nameserver\[\d+\] : (\S+)/g)].map(([, server = '']) => server);
  };
  const asked = async () => (await inUse()).filter((server) => server !== ours);
  return {
    servers: asked,
    isOurs: async () => (await inUse())[0] === ours,
    async take() {
      const fallback = await asked();
      const before = (await kept()) ?? {};
      const found = await services();
      for (const service of found) if (!before[service]) before[service] = (await serversOf(service)).filter((server) => server !== ours);
      await keep(before);
      const done = await Promise.all(
        found.map((service) => set(service, [ours, ...(before[service]?.length ? before[service] : fallback).slice(0, 2)])),
      );
      return done.length > 0 && done.every(Boolean);
    },
    async giveBack() {
      const before = (await kept()) ?? {};
      const there = new Set(await services());
      const done = await Promise.all(
        Object.entries(before).flatMap(([service, servers]) => (there.has(service) ? [set(service, servers)] : [])),
      );
      if (!done.every(Boolean)) return false;
      await keep(null);
      return true;
    },
  };
}
