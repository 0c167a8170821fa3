import type { ProgramSeen } from './format.ts';

const appleLine =
  /^(?:Developer ID Application|Developer ID Installer|Apple Distribution|Mac Developer|3rd Party Mac Developer Application):\s*(.+?)\s*(?:\(([A-Z0-9]{10})\))?$/i;

/**
 * Names in a signature's subject: a bare name, `CN="Example, Inc.", O=...`, or `Developer ID Application: Example (ABCDE12345)`. Never the
 * street or town.
 */
export function signerNames(subject: string): string[] {
  const nameParts = subject.matchAll(/(?:^|,)\s*(?:CN|O)\s*=\s*(?:"([^"]*)"|((?:\\.|[^,\\])*))/gi);
  const names = [subject, ...[...nameParts].map(([, quoted, unquoted]) => quoted ?? (unquoted ?? '').replaceAll('\\', ''))];
  return names.flatMap((name) => [name, appleLine.exec(name.trim())?.[1] ?? '']).filter((name) => name !== '');
}

export function teamOf({ os, team_id, signer }: ProgramSeen): string | undefined {
  if (team_id) return team_id;
  return os === 'macos' && signer ? appleLine.exec(signer.trim())?.[2] : undefined;
}
