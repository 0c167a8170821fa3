import type { MacNative } from './native.ts';
import { type NetworkService, networkServices } from './network-services.ts';

const networksetup = '/usr/sbin/networksetup';
const ownAddress = '127.0.0.1';

/** The manual DNS servers of each network service before our change; empty if it used the network's servers. */
export type StoredServers = Record<string, string[]>;

export interface MacDns {
  /** `servers`: upstreams of the primary network. `ours`: does every network ask this computer first, then its former servers? */
  current(): Promise<{ servers: string[]; ours: boolean }>;
  /** Stores the former settings before the change. Throws when they are unknown. */
  pointHere(): Promise<boolean>;
  /** On failure the stored settings remain. */
  restore(): Promise<boolean>;
}

/** The DNS servers of each network service. The callbacks load and store the former servers. */
export function macDns(
  native: MacNative,
  loadStored: () => Promise<StoredServers | null>,
  store: (servers: StoredServers | null) => Promise<unknown>,
): MacDns {
  /** Network services that networksetup can change, unlike those of VPN programs. */
  const listSettable = async () => {
    const { code, out } = await native.run(networksetup, ['-listallnetworkservices']);
    const [, ...lines] = out.split('\n').map((line) => line.trim());
    // `*` marks a disabled service.
    const names = lines.filter(Boolean).map((line) => line.replace(/^\*/, ''));
    if (code !== 0 || names.length === 0) throw new Error('macOS does not list its networks');
    return new Set(names);
  };
  /** Cached, because the query is slow. */
  let cachedNames = { of: '', names: new Set<string>() };
  const onlySettable = async <S extends NetworkService>(services: S[]) => {
    const cacheKey = JSON.stringify(services.map(({ name }) => name).toSorted());
    if (cacheKey !== cachedNames.of) cachedNames = { of: cacheKey, names: await listSettable() };
    return services.filter(({ name }) => cachedNames.names.has(name));
  };
  const setServers = async (service: string, servers: string[]) =>
    (await native.run(networksetup, ['-setdnsservers', service, ...(servers.length ? servers : ['Empty'])])).code === 0;

  /** Each service with its upstreams and the servers to set; unchanged without upstreams. */
  const planServices = async () => {
    const storedServers = (await loadStored()) ?? {};
    return (await networkServices(native)).map((service) => {
      // If this computer is not first, a user has changed the servers.
      const formerServers = service.manual[0] === ownAddress ? (storedServers[service.name] ?? []) : service.manual;
      const upstreams = (formerServers.length ? formerServers : service.given).filter((server) => server !== ownAddress);
      // networksetup rejects link-local addresses with a zone.
      const fallback = upstreams.filter((server) => !server.includes('%')).slice(0, 2);
      return {
        ...service,
        own: formerServers.filter((server) => server !== ownAddress),
        upstreamServers: upstreams,
        target: upstreams.length ? [ownAddress, ...fallback] : service.manual,
      };
    });
  };
  const isSet = ({ manual, target }: { manual: string[]; target: string[] }) => manual.join() === target.join();
  return {
    async current() {
      const services = await planServices();
      const servers = services.find(({ upstreamServers: without }) => without.length > 0)?.upstreamServers ?? [];
      return { servers, ours: (await onlySettable(services)).every(isSet) };
    },
    async pointHere() {
      const services = await onlySettable(await planServices());
      // Stores also unchanged services, since the stored file may be lost.
      const changedServices = services.filter(({ target }) => target[0] === ownAddress);
      if (changedServices.length > 0)
        await store({ ...(await loadStored()), ...Object.fromEntries(changedServices.map(({ name, own }) => [name, own])) });
      const results = await Promise.all(services.flatMap((service) => (isSet(service) ? [] : [setServers(service.name, service.target)])));
      return results.every(Boolean);
    },
    async restore() {
      const storedServers = await loadStored();
      if (!storedServers) return true;
      const settableNames = await listSettable().catch(() => null);
      if (!settableNames) return false;
      const results = await Promise.all(
        Object.entries(storedServers).flatMap(([service, servers]) => (settableNames.has(service) ? [setServers(service, servers)] : [])),
      );
      if (!results.every(Boolean)) return false;
      await store(null);
      return true;
    },
  };
}
