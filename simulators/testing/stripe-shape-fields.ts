import { z } from 'zod';

/** Times are Unix seconds, amounts are cents. */
export const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}\\w+$`));
export const text = z.string();
export const unixTime = z.number().int().min(1_000_000_000).max(9_999_999_999);
export const cents = z.number().int();
export const count = z.number().int().nonnegative();
export const flag = z.boolean();
export const currency = text.regex(/^[a-z]{3}$/);
export const decimal = text.regex(/^\d+(\.\d+)?$/);
export const metadata = z.record(text, text);
export const test = z.literal(false);
/** A field that Stripe can expand and the simulator leaves null. */
export const alwaysNull = z.null();

export const listOf = (itemShape: z.ZodType, url: RegExp) =>
  z.strictObject({ object: z.literal('list'), data: z.array(itemShape), has_more: flag, url: text.regex(url) });
