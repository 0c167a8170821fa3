import { z } from 'zod';

/** What the shapes of Stripe's answers are made of. Moments are Unix seconds, money is cents. */
export const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}\\w+$`));
export const text = z.string();
export const when = z.number().int().min(1_000_000_000).max(9_999_999_999);
export const cents = z.number().int();
export const count = z.number().int().nonnegative();
export const flag = z.boolean();
export const currency = text.regex(/^[a-z]{3}$/);
export const decimal = text.regex(/^\d+(\.\d+)?$/);
export const metadata = z.record(text, text);
export const test = z.literal(false);
/** May be a whole thing at Stripe; never is one here. */
export const nothing = z.null();

export const listOf = (of: z.ZodType, url: RegExp) =>
  z.strictObject({ object: z.literal('list'), data: z.array(of), has_more: flag, url: text.regex(url) });
