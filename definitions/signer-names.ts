import type { ProgramSeen } from './format.ts';

const appleLine =
  /^(?:Developer ID Application|Developer ID Installer|Apple Distribution|Mac Developer|3rd Party Mac Developer Application):\s*(.+?)\s*(?:\(([A-Z0-9]{10})\))?$/i;

/**
 * A signature's subject arrives as a bare name, as a whole line (`CN="Example, Inc.", O=...`), or as Apple writes it (`Developer ID
 * Application: Example (ABCDE12345)`): the person or company in it counts, never its street or town.
 */
export function signerNames(subject: string): string[] {
  const parts = subject.matchAll(/(?:^|,)\s*(?:CN|O)\s*=\s*(?:"([^"]*)"|((?:\\.|[^,\\])*))/gi);
  const names = [subject, ...[...parts].map(([, quoted, bare]) => quoted ?? (bare ?? '').replaceAll('\\', ''))];
  return names.flatMap((name) => [name, appleLine.exec(name.trim())?.[1] ?? '']).filter((name) => name !== '');
}

/** The Apple team: its own field, or what stands in brackets behind the signer's name. */
export function teamOf({ os, team_id, signer }: ProgramSeen): string | undefined {
  if (team_id) return team_id;
  return os === 'macos' && signer ? appleLine.exec(signer.trim())?.[2] : undefined;
}
