import { z } from 'zod';

export const moneyKinds = ['bank', 'exchange', 'wire', 'gift_card', 'crypto_machine', 'payment_app', 'broker', 'gold'] as const;
export type MoneyKind = (typeof moneyKinds)[number];

/** The sites of banks, exchanges and others, as agents get them. Each domain includes its subdomains. */
export const moneySites = z.array(z.object({ kind: z.enum(moneyKinds), domains: z.array(z.string().min(1).max(253)).min(1) }));
export type MoneyList = z.infer<typeof moneySites>;
