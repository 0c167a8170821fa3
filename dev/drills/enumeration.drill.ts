import { enumerationDrill } from './enumeration.ts';

/** Who has an account is asked in four ways, two hundred times each, and neither the answers nor their times tell. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const { wrong } = await enumerationDrill(200, true, log);
  return wrong;
}
