import { z } from 'zod';

/** A public DNS service that answers no address for known malicious sites. Agents reach it by DNS over TLS (RFC 7858), port 853. */
export const protectiveResolver = z.object({
  /** For people. */
  name: z.string().min(1).max(80),
  /** The certificate must be valid for this host. */
  host: z.string().min(1).max(253),
  /** IPv4 and IPv6, because a DNS server cannot be found by DNS. */
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .min(1)
    .max(8),
});
export type ProtectiveResolver = z.infer<typeof protectiveResolver>;

/** The services that a family may choose (P12.1), with what the provider publishes about itself. */
export const protectiveResolvers = {
  quad9: {
    name: 'Quad9',
    run_by: 'the Quad9 Foundation, a nonprofit in Switzerland',
    host: 'dns.quad9.net',
    addresses: ['9.9.9.9', '149.112.112.112', '2620:fe::fe', '2620:fe::9'],
  },
  cloudflare: {
    name: 'Cloudflare for Families',
    run_by: 'Cloudflare, a company in the United States',
    host: 'security.cloudflare-dns.com',
    addresses: ['1.1.1.2', '1.0.0.2', '2606:4700:4700::1112', '2606:4700:4700::1002'],
  },
} as const satisfies Record<string, ProtectiveResolver & { run_by: string }>;

export const resolverChoice = z.enum(['network', 'quad9', 'cloudflare']);
/** `network`: the DNS servers of the network that the computer is in. */
export type ResolverChoice = z.infer<typeof resolverChoice>;
