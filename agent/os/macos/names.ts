import type { MacNative } from './native.ts';
import { type NetworkService, networkServices } from './network-services.ts';

const networksetup = '/usr/sbin/networksetup';
const ours = '127.0.0.1';

/** What was set by hand for each network service before us; none means those that the network itself gives. */
export type KeptServers = Record<string, string[]>;

export interface Names {
  /**
   * `servers`: whom the network that leads out of the computer would ask without us, first to last. `ours`: are names asked of this computer
   * first in every network that there is, and of that network's own servers after it?
   */
  current(): Promise<{ servers: string[]; ours: boolean }>;
  /** Makes it so; what was before is kept by `keep` first. True when it is so, throws when it cannot be told what was before. */
  take(): Promise<boolean>;
  /** As it was before. True when it is so; else what was kept stays. */
  giveBack(): Promise<boolean>;
}

/** Whom a Mac asks for names, for each network service (Wi-Fi, Ethernet …), by scutil and networksetup; `kept` and `keep` survive a restart. */
export function macNames(
  native: MacNative,
  kept: () => Promise<KeptServers | null>,
  keep: (servers: KeptServers | null) => Promise<unknown>,
): Names {
  /** The services that networksetup can set: not those of a VPN's own program. */
  const settable = async () => {
    const { code, out } = await native.run(networksetup, ['-listallnetworkservices']);
    const [, ...lines] = out.split('\n').map((line) => line.trim());
    // A star stands before one that is switched off.
    const names = lines.filter(Boolean).map((line) => line.replace(/^\*/, ''));
    if (code !== 0 || names.length === 0) throw new Error('macOS does not list its networks');
    return new Set(names);
  };
  /** Asked for again only when there are others: it takes longer than all the rest. */
  let listed = { of: '', names: new Set<string>() };
  const ofThese = async <S extends NetworkService>(services: S[]) => {
    const of = JSON.stringify(services.map(({ name }) => name).toSorted());
    if (of !== listed.of) listed = { of, names: await settable() };
    return services.filter(({ name }) => listed.names.has(name));
  };
  const set = async (service: string, servers: string[]) =>
    (await native.run(networksetup, ['-setdnsservers', service, ...(servers.length ? servers : ['Empty'])])).code === 0;

  /** The services with whom each asks without us, and what is to be set to stand before that; nothing for one that asks nobody now. */
  const wanted = async () => {
    const before = (await kept()) ?? {};
    return (await networkServices(native)).map((service) => {
      // Without us in front it is a person's own: they have set it meanwhile.
      const own = service.manual[0] === ours ? (before[service.name] ?? []) : service.manual;
      const without = (own.length ? own : service.given).filter((server) => server !== ours);
      // networksetup takes no address of one link only.
      const behind = without.filter((server) => !server.includes('%')).slice(0, 2);
      return { ...service, own: own.filter((server) => server !== ours), without, to: without.length ? [ours, ...behind] : service.manual };
    });
  };
  const stands = ({ manual, to }: { manual: string[]; to: string[] }) => manual.join() === to.join();
  return {
    async current() {
      const services = await wanted();
      const servers = services.find(({ without }) => without.length > 0)?.without ?? [];
      return { servers, ours: (await ofThese(services)).every(stands) };
    },
    async take() {
      const services = await ofThese(await wanted());
      // Also those that stand as they are to: what was kept may be lost.
      const taken = services.filter(({ to }) => to[0] === ours);
      if (taken.length > 0) await keep({ ...(await kept()), ...Object.fromEntries(taken.map(({ name, own }) => [name, own])) });
      const done = await Promise.all(services.flatMap((service) => (stands(service) ? [] : [set(service.name, service.to)])));
      return done.every(Boolean);
    },
    async giveBack() {
      const before = await kept();
      if (!before) return true;
      const there = await settable().catch(() => null);
      if (!there) return false;
      const done = await Promise.all(
        Object.entries(before).flatMap(([service, servers]) => (there.has(service) ? [set(service, servers)] : [])),
      );
      if (!done.every(Boolean)) return false;
      await keep(null);
      return true;
    },
  };
}
