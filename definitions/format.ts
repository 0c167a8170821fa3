import { category, certainty } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';

/** One file of `catalogue/` describes one product, however many programs it has, with one identifier for the allow list. */

const fact = z.string().min(1).max(300);

export const os = z.enum(['windows', 'macos', 'linux']);
export type Os = z.infer<typeof os>;

const nameOnSystem = z.object({ os, name: fact });

/** Facts of programs, compared whole and without case, never as substrings. The field determines the strength. */
export const programFacts = z.object({
  /** File names without path, with `.exe` for Windows, that no harmless program uses. A name alone is likely, not certain. */
  names: z.array(nameOnSystem).default([]),
  /** File names that other products use too (`helper.exe`): weak, never enough alone. */
  generic_names: z.array(nameOnSystem).default([]),
  /** OriginalFilename in the version information: strong together with a company, weak alone. */
  original_names: z.array(fact).default([]),
  /** ProductName or FileDescription in the version information: weak, but likely alone if only this definition has it. */
  products: z.array(fact).default([]),
  /** CompanyName in the version information: weak, but likely alone if it is also a signer here. */
  companies: z.array(fact).default([]),
  /** Subjects of code signatures of vendors that sign nothing harmless: strong. */
  signers: z.array(fact).default([]),
  broad_signers: z.array(fact).default([]),
  team_ids: z.array(fact).default([]),
  bundle_ids: z.array(fact).default([]),
  sha256: z.array(z.string().regex(/^[0-9a-f]{64}$/)).default([]),
  /**
   * Libraries that only this product brings, relative to the folder of its program: strong. A program that contains the name of such a
   * library, with the library beside it, is a build of the product under another name.
   */
  libraries: z.array(nameOnSystem).default([]),
  /**
   * Folders that only this product uses, without drive and with `/`: `Program Files/AnyDesk`, `Applications/AnyDesk.app`. Includes
   * subfolders. Weak.
   */
  paths: z.array(z.object({ os, path: fact })).default([]),
});
const factFields = [...programFacts.keyof().options, 'services', 'domains', 'site_patterns', 'in_scams'] as const;
export type FactField = (typeof factFields)[number];

/** Facts of another product of the same vendor: a program with such a fact does not match. */
export const siblingFacts = programFacts
  .pick({ names: true, original_names: true, products: true, bundle_ids: true })
  .partial()
  .prefault({});

/** Programs that only reach other computers: by hash or original name, on macOS by bundle, on Linux by name. `products`: as installed. */
export const outgoingFacts = programFacts
  .pick({ names: true, original_names: true, bundle_ids: true, sha256: true, products: true })
  .prefault({});

/** Plain text; `{name}` and `{device}` are replaced by the program and the device. */
export const help = z.object({
  what_it_is: z.string().min(20).max(500),
  /** What to do when someone on the phone asked to install the product. */
  what_to_do: z.string().min(20).max(500),
});

export const definition = z.object({
  /** Identifier in lower case with dashes. Never changes once published. */
  identifier: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(80),
  name: z.string().min(1).max(80),
  /** Names for searching: former names, brands, names in public lists. */
  aliases: z.array(z.string().min(1).max(80)).default([]),
  category,
  /** False for definitions that are always harmful. */
  allowlistable: z.boolean(),
  /** Public reports say that scammers use it. Windows also prevents the start of such programs by their file names. */
  in_scams: z.boolean().default(false),
  /** The policy applies, but the program is never removed from disk. */
  part_of_system: z.boolean().default(false),
  programs: programFacts,
  not: siblingFacts,
  /** Its viewers and clients: not stopped while they only reach other computers (P15.3). Each is also in `programs`. */
  outgoing: outgoingFacts,
  /** Windows service names, launchd labels and systemd units of this product alone. */
  services: z.array(nameOnSystem).default([]),
  /**
   * Hosts that exist only for this product; includes subdomains. `*.example.com` leaves out the host itself, where that is the company's ordinary
   * site, or is asked for so often that it belongs to the most visited.
   */
  domains: z.array(fact).default([]),
  /**
   * Look-alike hosts, only for scam sites. `*` matches letters, digits and dashes within one label, a leading `**.` any number of labels:
   * `**.anydesk-support*.com`.
   */
  site_patterns: z.array(fact).default([]),
  help,
  /** `facts`: as `FactField`; in a set of a newer server also fields that this version does not know. */
  sources: z.array(z.object({ name: fact, facts: z.array(fact).min(1) })).min(1),
});
export type Definition = z.infer<typeof definition>;

/** A program on a computer. Unknown values are left out. */
export interface ProgramSeen {
  os: Os;
  name: string;
  path?: string;
  original_name?: string;
  /** InternalName in the version information. */
  internal_name?: string;
  product?: string;
  /** FileDescription in the version information. */
  description?: string;
  company?: string;
  signer?: string;
  team_id?: string;
  bundle_id?: string;
  sha256?: string;
  /** Libraries beside the program whose names it contains. */
  libraries?: string[];
}

export const match = z.object({
  identifier: z.string(),
  name: z.string(),
  category,
  certainty,
  /** The evidence, as `field=value`. */
  why: z.array(z.string()),
});
export type Match = z.infer<typeof match>;
