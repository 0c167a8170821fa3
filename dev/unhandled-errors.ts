import { readFileSync } from 'node:fs';

/** An error that Vitest counts for no test: `test` is the test that ran when it was caught, or the suite whose hook threw it. */
export interface UnhandledError {
  file?: string;
  test?: string;
  message: string;
}

export const unhandledErrorsFile = (report: string): string => report.replace(/(\.json)?$/, '.unhandled.json');

/** The unhandled errors of a run that wrote its JSON report to `report`. */
export function readUnhandledErrors(report: string): UnhandledError[] {
  try {
    return JSON.parse(readFileSync(unhandledErrorsFile(report), 'utf8')) as UnhandledError[];
  } catch {
    return [];
  }
}
