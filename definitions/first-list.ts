import { readFileSync } from 'node:fs';
import { z } from 'zod';

const shipped = new URL('./first-list/', import.meta.url);

const source = z.object({
  name: z.string(),
  home: z.url(),
  file: z.string(),
  /** SPDX identifier. */
  licence: z.string(),
  copyright: z.string().nullable(),
  as_of: z.iso.date(),
});

/** The list of scam sites that ships with the server: `bytes` for `readSiteList`, and the lists that it was made of. */
export interface FirstList {
  bytes: Uint8Array;
  /** The day of its newest source. */
  as_of: Date;
  sources: z.infer<typeof source>[];
}

export function readFirstList(): FirstList {
  const text = readFileSync(new URL('sources.json', shipped), 'utf8');
  const { as_of, sources } = z.object({ as_of: z.iso.date(), sources: z.array(source) }).parse(JSON.parse(text));
  return { bytes: readFileSync(new URL('sites.list', shipped)), as_of: new Date(as_of), sources };
}
