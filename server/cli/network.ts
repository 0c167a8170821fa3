import { lookup, Resolver } from 'node:dns/promises';

/** The network as the commands see it that ask it themselves; tests have no internet, and shorter limits. */
export interface Network {
  /** The IP addresses of a host name, as programs on this computer see it. Rejects with a code such as `ENOTFOUND`. */
  addressesOf(host: string): Promise<string[]>;
  /** The TXT records of a name in DNS. Rejects with a code such as `ENODATA`. */
  txtOf(name: string): Promise<string[]>;
  /** Certificates of authorities (PEM) that count besides those of Node; for a certificate made by oneself. */
  authorities: string[];
  /** In milliseconds: `check` for one check, `close` for closing what was opened. */
  limits: { check: number; close: number };
}

export const realNetwork: Network = {
  addressesOf: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  async txtOf(name) {
    const resolver = new Resolver({ timeout: 3_000, tries: 2 });
    return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
  },
  authorities: [],
  limits: { check: 10_000, close: 5_000 },
};
