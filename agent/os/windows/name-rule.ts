import { randomUUID } from 'node:crypto';
import type { Registry } from './native/registry.ts';

/** The Name Resolution Policy Table of this computer: whom to ask, by the end of the name. Source: MS-GPNRPT. */
export const rules = 'SYSTEM\\CurrentControlSet\\Services\\Dnscache\\Parameters\\DnsPolicyConfig';
const ours = 'Porchlight';
/** The rule names servers to ask, and nothing else. */
const genericServers = 8;

export interface NameRuleDeps {
  registry: Registry;
  /** The servers that the network adapters have, in their order. */
  servers: () => string[];
  /** Windows reads the table again. */
  reread: () => void;
}

/** The shape of the port's system resolver: `pointTo` lets every name be asked of `address` first, `restore` takes that back. */
export function nameRule({ registry, servers, reread }: NameRuleDeps) {
  const mine = () => registry.keys(rules).filter((key) => registry.read(`${rules}\\${key}`, 'Comment') === ours);
  const others = () => servers().filter((server) => !/^(127\.|::1$)/.test(server));
  return {
    current: async () => ({ servers: others(), ours: mine().length > 0 }),
    async pointTo(address: string): Promise<void> {
      const [first, ...more] = mine();
      const key = `${rules}\\${first ?? `{${randomUUID().toUpperCase()}}`}`;
      for (const extra of more) registry.removeKey(`${rules}\\${extra}`);
      registry.write(key, 'Comment', ours);
      registry.write(key, 'Version', 2);
      registry.write(key, 'Name', ['.']);
      // Whom it asks when we do not answer: if this program dies, names are found all the same (P4.7).
      registry.write(key, 'GenericDNSServers', [address, ...others()].join(';'));
      registry.write(key, 'ConfigOptions', genericServers);
      reread();
    },
    async restore(): Promise<void> {
      const keys = mine();
      for (const key of keys) registry.removeKey(`${rules}\\${key}`);
      if (keys.length) reread();
    },
  };
}
