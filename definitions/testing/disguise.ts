import type { Definition, ProgramSeen } from '../format.ts';

export const disguises = ['qx7f2k.exe', 'svchost.exe', 'chrome.exe'];

/** The programs of a definition under other names, as Windows reports their version information and signature. */
export function renamedPrograms({ programs }: Definition): ProgramSeen[] {
  const [original_name, product, company, signer] = [
    programs.original_names[0],
    programs.products[0],
    programs.companies[0],
    programs.signers[0],
  ];
  const variants: Omit<ProgramSeen, 'os' | 'name'>[] = [];
  if (original_name && company) variants.push({ original_name, company });
  if (original_name && product) variants.push({ original_name, product });
  if (signer) variants.push({ signer });
  if (signer && original_name) variants.push({ signer, original_name });
  return variants.flatMap((facts) => disguises.map((name): ProgramSeen => ({ os: 'windows', name, ...facts })));
}
