import { z } from 'zod';

const facts = z.looseObject({ device_limit: z.number().int().min(1).max(100_000) });

/** What a price's `metadata.metadata` says (3.11): a JSON text with `device_limit`. Null when it says nothing that can be used. */
export function deviceLimitIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  try {
    return facts.parse(JSON.parse(text)).device_limit;
  } catch {
    return null;
  }
}

/** A plan whose price says nothing protects one device: less than was paid for can be put right, more cannot be taken back. */
export const devicesAtLeast = 1;
