import { category, certainty, time } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';

/**
 * What a threat looks like, as data. One file of `catalogue/` holds one product family: one thing to a person,
 * however many programs it consists of, and so one identifier on the allow list.
 */

const fact = z.string().min(1).max(300);

export const os = z.enum(['windows', 'macos', 'linux']);
export type Os = z.infer<typeof os>;

const named = z.object({ os, name: fact });

/**
 * The marks by which a program is known. All are compared whole and case-blind, never as a part of something longer. The
 * field is the strength of the mark: certain alone, likely alone, or never alone.
 */
export const programFacts = z.object({
  /** File names that no benign program uses, without a path; with `.exe` for Windows. Alone they make a match likely. */
  names: z.array(named).default([]),
  /** File names that others use too (`helper.exe`): they never count alone, and as a weak mark beside another one. */
  generic_names: z.array(named).default([]),
  /** OriginalFilename of the version information. Strong together with a company, weak alone. */
  original_names: z.array(fact).default([]),
  /** ProductName of the version information: weak. */
  products: z.array(fact).default([]),
  /** CompanyName of the version information: weak. */
  companies: z.array(fact).default([]),
  /** Subject of the code signature, for vendors that sign nothing benign: strong. */
  signers: z.array(fact).default([]),
  /** Signers of many products: weak. */
  broad_signers: z.array(fact).default([]),
  /** Apple developer team: strong. */
  team_ids: z.array(fact).default([]),
  /** macOS bundle identifier: strong. */
  bundle_ids: z.array(fact).default([]),
  /** Lower-case hex: strong. */
  sha256: z.array(z.string().regex(/^[0-9a-f]{64}$/)).default([]),
  /**
   * Folders that only this product installs into, without the drive and with `/` between parts: `Program Files/AnyDesk`,
   * `Applications/AnyDesk.app`. The program lies there or below: weak, a voice of its own.
   */
  paths: z.array(z.object({ os, path: fact })).default([]),
});
export const factField = z.enum([...programFacts.keyof().options, 'services', 'domains', 'site_patterns']);
export type FactField = z.infer<typeof factField>;

/** Facts of a sibling that shares a vendor with the family: a program with one of them is not this family's. */
export const siblingFacts = programFacts
  .pick({ names: true, original_names: true, products: true, bundle_ids: true })
  .partial()
  .prefault({});

/** The family's own words for the four parts; `{name}` and `{device}` stand for the program and the device. Plain text. */
export const help = z.object({
  /** One or two sentences: what this is, and why scammers use it. */
  what_it_is: z.string().min(20).max(500),
  /** What to do now, when someone on the phone asked for it. */
  what_to_do: z.string().min(20).max(500),
});

export const definition = z.object({
  /** Lower case with dashes: the allow-list identifier of the whole family. Never changes once published. */
  identifier: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(80),
  /** As a person would say it: AnyDesk. */
  name: z.string().min(1).max(80),
  /** What else people, vendors and public lists call it: former names, brands of one program. For searching only. */
  aliases: z.array(z.string().min(1).max(80)).default([]),
  category,
  /** May a person allow it for themselves? False for what is only ever harmful. */
  allowlistable: z.boolean(),
  /** Comes with the operating system: policy decides, it is never removed from disk. */
  part_of_system: z.boolean().default(false),
  programs: programFacts,
  not: siblingFacts,
  /** System services (Windows service name, launchd label, systemd unit) that belong to it alone. */
  services: z.array(named).default([]),
  /** Hosts that exist only for this product; the name itself and everything below it. */
  domains: z.array(fact).default([]),
  /**
   * Hosts that look alike (only of scam sites): a whole host, where `*` stands for any letters, digits and dashes within one
   * label and a leading `**.` for any labels before: `**.anydesk-support*.com`.
   */
  site_patterns: z.array(fact).default([]),
  help,
  /** Where the facts come from: vendor documentation, a public data set with its version; and which facts those are. */
  sources: z.array(z.object({ name: fact, facts: z.array(factField).min(1) })).min(1),
});
export type Definition = z.infer<typeof definition>;

/** The payload of the signed set. `version` only ever grows; an agent never takes an older one. */
export const definitionSet = z.object({
  /** Left out where it is the first. */
  epoch: z.number().int().positive().optional(),
  version: z.number().int().positive(),
  issued: time,
  definitions: z.array(definition),
});
export type DefinitionSet = z.infer<typeof definitionSet>;

/** A program as an operating system shows it. What is not known is left out. */
export interface ProgramSeen {
  os: Os;
  /** File name without a path. */
  name: string;
  /** Where it lies, as the system writes it. */
  path?: string;
  original_name?: string;
  product?: string;
  company?: string;
  signer?: string;
  team_id?: string;
  bundle_id?: string;
  sha256?: string;
}

export const match = z.object({
  identifier: z.string(),
  name: z.string(),
  category,
  certainty,
  /** The marks that decided, as `field=value`. */
  why: z.array(z.string()),
});
export type Match = z.infer<typeof match>;
