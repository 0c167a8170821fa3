import { z } from 'zod';

const words = z.array(z.string().regex(/^[a-z0-9]{1,40}$/));
const domains = z.array(z.string().min(1).max(253));

export const imitatedBrand = z.object({
  /** The name as people know it. */
  name: z.string().min(1).max(80),
  /** Spellings in names of sites, without hyphens. Nobody but the brand has a reason to put one of them there. */
  words: words.default([]),
  /** Honest sites are about the brand and name it: `adblock-for-youtube`. The word alone proves nothing. */
  discussed: words.default([]),
  /** The spelling is also a word, a surname, a place or an abbreviation: `chase`. */
  ordinary: words.default([]),
  /** Canonical hosts that are the brand's own, without `www.`. Each one includes its subdomains. */
  domains: domains.min(1),
});
export type ImitatedBrand = z.infer<typeof imitatedBrand>;

/** What `trickIn` needs beside the money sites of the same set. */
export const nameTables = z.object({
  brands: z.array(imitatedBrand),
  /** What a trick asks people to do, or promises: `login`, `refund`. */
  actions: words,
  /** What a trick is about, and what honest sites are about too: `tracking`, `support`. */
  topics: words,
  /** Little words between the others: `my`, `us`. */
  fillers: words,
  /** Beside a brand these show that a site is about it: `clone`, `fans`. */
  about: words,
  /** In a rented name these show that it is somebody's exercise, or a fan's: `clone`. */
  exercises: words.default([]),
  /** Endings that cost little, which brands rarely have: `top`. */
  endings: z.array(z.string().regex(/^[a-z0-9-]{2,20}$/)),
  /** Hosts whose subdomains belong to companies that pay for them: a brand's name there is mostly its own. */
  tenants: domains,
  /** Words and names that are one letter away from a brand, and first labels of money sites that are ordinary words. */
  innocent: words,
  /** Sites with a brand's name in theirs, that are no trick. */
  honest: domains,
  /** By Latin letters or digits, the characters that resemble them (UTS 39). */
  skeletons: z.record(z.string().regex(/^[a-z0-9]{1,3}$/), z.string()),
});
export type NameTables = z.infer<typeof nameTables>;

export const noNames: NameTables = {
  ...{ brands: [], actions: [], topics: [], fillers: [], about: [], exercises: [], endings: [], tenants: [], innocent: [], honest: [] },
  skeletons: {},
};
