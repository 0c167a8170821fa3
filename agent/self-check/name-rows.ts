import { evidenceOf, failed, notPlayed, type Outcome, passed, type RowTools } from './rows.ts';
import type { CommandOutput } from './system.ts';

/** On the list of every server, as part of a definition. */
export const listedSite = 'net.anydesk.com';
export const openSite = 'example.org';

/** Addresses of a name; null when the output is unknown. */
export type Addresses = string[] | null;

/** How a system looks up a name as every program does. */
export interface NameLookUp {
  command: (name: string) => [string, ...string[]];
  read: (result: CommandOutput) => Addresses;
}

/** A blocked site has none, or an address that leads to this computer. */
const isNoAddress = (address: string) => /^(127\.|0\.0\.0\.0$|::1?$)/.test(address);
const isOpen = (addresses: string[]) => addresses.some((address) => !isNoAddress(address));

async function addressesOf({ system }: RowTools, { command, read }: NameLookUp, name: string) {
  const result = await system.run(...command(name));
  return { addresses: result.code === null ? null : read(result), evidence: evidenceOf(command(name), result) };
}

/** Null when the output is unknown. */
export async function resolvesOpenSite(tools: RowTools, lookUp: NameLookUp): Promise<boolean | null> {
  const { addresses } = await addressesOf(tools, lookUp, openSite);
  return addresses && isOpen(addresses);
}

/** A listed site without an address proves something only while other names resolve. */
export async function playNames(tools: RowTools, lookUp: NameLookUp): Promise<Outcome> {
  const open = await addressesOf(tools, lookUp, openSite);
  const listed = await addressesOf(tools, lookUp, listedSite);
  const evidence = `${open.evidence}\n${listed.evidence}`;
  if (open.addresses === null || listed.addresses === null) return notPlayed(`This output is unknown, so it proves nothing.\n${evidence}`);
  if (!isOpen(open.addresses)) return failed(`${openSite} has no address. Is this computer connected to the internet?\n${evidence}`);
  if (isOpen(listed.addresses)) return failed(`${listedSite} has an address, although it is on the list.\n${evidence}`);
  return passed(evidence);
}
