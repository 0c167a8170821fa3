import type { Definition, ProgramSeen } from '../format.ts';

/** What a tool is renamed to: a name that says nothing, and two that look like the system and a browser. */
export const disguises = ['qx7f2k.exe', 'svchost.exe', 'chrome.exe'];

/** The program of a family as Windows still shows it under another name: by its version information, and by its signature. */
export function renamedPrograms({ programs }: Definition): ProgramSeen[] {
  const [original_name, product, company, signer] = [
    programs.original_names[0],
    programs.products[0],
    programs.companies[0],
    programs.signers[0],
  ];
  const told: Omit<ProgramSeen, 'os' | 'name'>[] = [];
  if (original_name && company) told.push({ original_name, company });
  if (original_name && product) told.push({ original_name, product });
  if (signer) told.push({ signer });
  if (signer && original_name) told.push({ signer, original_name });
  return told.flatMap((rest) => disguises.map((name): ProgramSeen => ({ os: 'windows', name, ...rest })));
}
