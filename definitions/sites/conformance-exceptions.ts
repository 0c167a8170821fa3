export interface Case {
  input: string;
  expected: string | null;
}

/** An intended difference from the suites. `applies` sees only the suite's expected value. */
export interface Exception {
  reason: string;
  applies(expected: string): boolean;
  instead(expected: string): string | null;
  /** Number of cases in each suite that differ; a person must review any change. */
  cases: { toascii: number; idna: number; url: number };
}

const labels = (host: string) => host.replace(/\.$/, '').split('.');
const noHost = () => null;

/** Only the first exception that applies to a case counts. */
export const exceptions: Exception[] = [
  {
    reason: 'no name can have an empty label: the suites follow browsers, which ask the network for it and get no answer',
    applies: (expected) => labels(expected).includes(''),
    instead: noHost,
    cases: { toascii: 2, idna: 120, url: 3 },
  },
  {
    reason: 'no name server can hold a label of more than 63 letters: the suites leave that to the name server',
    applies: (expected) => labels(expected).some((label) => label.length > 63),
    instead: noHost,
    cases: { toascii: 4, idna: 38, url: 0 },
  },
  {
    reason: 'no name server can hold more than 253 letters: the suites leave that to the name server',
    applies: (expected) => expected.replace(/\.$/, '').length > 253,
    instead: noHost,
    cases: { toascii: 3, idna: 8, url: 0 },
  },
  {
    reason: 'names have letters, digits, dashes and underscores only: browsers let other signs through, and no registry does',
    applies: (expected) => !expected.startsWith('[') && /[^a-z0-9_.-]/.test(expected),
    instead: noHost,
    cases: { toascii: 1, idna: 23, url: 2 },
  },
  {
    reason: 'a dot at the end means the same host, so that there is one spelling of it',
    applies: (expected) => expected.endsWith('.'),
    instead: (expected) => expected.slice(0, -1),
    cases: { toascii: 0, idna: 108, url: 0 },
  },
];
