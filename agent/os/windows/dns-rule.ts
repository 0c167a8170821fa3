import { randomUUID } from 'node:crypto';
import { resolveAsPrograms } from '../../lib/system-resolve.ts';
import type { Registry } from './native/registry.ts';

/** The Name Resolution Policy Table: DNS servers by domain suffix. Source: MS-GPNRPT. */
export const rulesKey = 'SYSTEM\\CurrentControlSet\\Services\\Dnscache\\Parameters\\DnsPolicyConfig';
const ownComment = 'Porchlight';
const genericServersOption = 8;

export interface DnsRuleDeps {
  registry: Registry;
  servers: () => string[];
  reread: () => void;
}

export function dnsRule({ registry, servers, reread }: DnsRuleDeps) {
  const ownRules = () => registry.keys(rulesKey).filter((key) => registry.read(`${rulesKey}\\${key}`, 'Comment') === ownComment);
  const otherServers = () => servers().filter((server) => !/^(127\.|::1$)/.test(server));
  return {
    current: async () => ({ servers: otherServers(), ours: ownRules().length > 0 }),
    async pointTo(address: string): Promise<void> {
      const [firstRule, ...extraRules] = ownRules();
      const key = `${rulesKey}\\${firstRule ?? `{${randomUUID().toUpperCase()}}`}`;
      for (const extraRule of extraRules) registry.removeKey(`${rulesKey}\\${extraRule}`);
      registry.write(key, 'Comment', ownComment);
      registry.write(key, 'Version', 2);
      registry.write(key, 'Name', ['.']);
      // Windows asks the former servers if this process dies (P4.7).
      registry.write(key, 'GenericDNSServers', [address, ...otherServers()].join(';'));
      registry.write(key, 'ConfigOptions', genericServersOption);
      reread();
    },
    resolve: resolveAsPrograms,
    askFirstAgain: async () => reread(),
    async restore(): Promise<void> {
      const keys = ownRules();
      for (const key of keys) registry.removeKey(`${rulesKey}\\${key}`);
      if (keys.length) reread();
    },
  };
}
