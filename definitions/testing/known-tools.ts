import { z } from 'zod';
import type { ProgramSeen } from '../format.ts';
import { readShared } from './shared-data.ts';

const texts = z.array(z.string());
const tool = z.object({
  id: z.string(),
  kind: z.string(),
  usable: z.boolean(),
  processes: z.object({ windows: texts, macos: texts, linux: texts }),
  process_patterns: texts,
  generic: texts,
  os_builtin: texts,
  pe: z.array(z.object({ OriginalFileName: z.string(), Product: z.string(), Company: z.string() }).partial()),
  signers: texts,
  broad_signers: texts,
  suspect_signers: texts,
  domains: texts,
  macos: z.object({ bundle_ids: texts, team_ids: texts, apps: texts }).partial().optional(),
});

/** A tool as the system would report it, by each kind of fact alone. */
export interface KnownTool {
  id: string;
  by_name: ProgramSeen[];
  by_metadata: ProgramSeen[];
  by_signer: ProgramSeen[];
  domains: string[];
}

const anyName = 'qx7f2k.exe';

function appearances(raw: z.infer<typeof tool>): KnownTool {
  const commonNames = new Set([...raw.generic, ...raw.os_builtin].map((name) => name.toLowerCase()));
  const weakSigners = new Set([...raw.broad_signers, ...raw.suspect_signers]);
  const namedPrograms = (['windows', 'macos', 'linux'] as const).flatMap((os) =>
    raw.processes[os].filter((name) => !commonNames.has(name.toLowerCase())).map((name): ProgramSeen => ({ os, name })),
  );
  const metadata = raw.pe.flatMap(({ OriginalFileName, Product, Company }): ProgramSeen[] => {
    const versionInfo = { original_name: OriginalFileName, product: Product, company: Company };
    const presentInfo = Object.fromEntries(Object.entries(versionInfo).filter(([, value]) => value?.trim()));
    // A product name alone is never enough (P4.2), and a common file name identifies nothing.
    const isIdentifying = Object.keys(presentInfo).length > 1 || (OriginalFileName && !commonNames.has(OriginalFileName.toLowerCase()));
    return isIdentifying ? [{ os: 'windows', name: anyName, ...presentInfo }] : [];
  });
  return {
    id: raw.id,
    by_name: [...namedPrograms, ...(raw.macos?.apps ?? []).map((name): ProgramSeen => ({ os: 'macos', name }))],
    by_metadata: metadata,
    by_signer: [
      ...raw.signers.filter((signer) => !weakSigners.has(signer)).map((signer): ProgramSeen => ({ os: 'windows', name: anyName, signer })),
      ...(raw.macos?.team_ids ?? []).map((team_id): ProgramSeen => ({ os: 'macos', name: 'qx7f2k', team_id })),
    ],
    domains: raw.domains.map((domain) => domain.replace(/^\*\./, '')).filter((domain) => !domain.includes('*')),
  };
}

export function knownTools(): KnownTool[] {
  const { tools } = z.object({ tools: z.array(tool) }).parse(JSON.parse(readShared('rmm-public.json')));
  return tools.filter(({ kind, usable }) => usable && (kind === 'remote_control' || kind === 'rmm_agent')).map(appearances);
}
