import { z } from 'zod';

const priceMetadata = z.looseObject({ device_limit: z.number().int().min(1).max(100_000) });

/** Reads `device_limit` from the JSON text in a price's `metadata.metadata` (3.11); null if invalid. */
export function deviceLimitIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  try {
    return priceMetadata.parse(JSON.parse(text)).device_limit;
  } catch {
    return null;
  }
}

/** The limit of a price without a valid one: raising it later is easier than reducing it. */
export const defaultDeviceLimit = 1;
