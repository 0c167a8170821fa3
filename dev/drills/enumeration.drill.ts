import { enumerationDrill } from './enumeration.ts';

export const minutes = 10;

/** Neither answers nor their times may reveal who has an account. */
export async function drill(log: (line: string) => void): Promise<string[]> {
  const { wrong } = await enumerationDrill(200, true, log);
  return wrong;
}
