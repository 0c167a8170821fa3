/** A case of a public test suite: what goes in, and the host that the suite wants, null where it wants none. */
export interface Case {
  input: string;
  expected: string | null;
}

/** Where the reading of hosts differs from a public test suite on purpose, and why. Each is told from the suite's own answer alone. */
export interface Exception {
  reason: string;
  applies(expected: string): boolean;
  /** What is read instead. */
  instead(expected: string): string | null;
  /** How many cases of each suite it covers: one more or less is looked at by a person. */
  cases: { toascii: number; idna: number; url: number };
}

const labels = (host: string) => host.replace(/\.$/, '').split('.');
const none = () => null;

/** The first that applies to a case counts. */
export const exceptions: Exception[] = [
  {
    reason: 'no name can have an empty label: the suites follow browsers, which ask the network for it and get no answer',
    applies: (expected) => labels(expected).includes(''),
    instead: none,
    cases: { toascii: 2, idna: 120, url: 3 },
  },
  {
    reason: 'no name server can hold a label of more than 63 letters: the suites leave that to the name server',
    applies: (expected) => labels(expected).some((label) => label.length > 63),
    instead: none,
    cases: { toascii: 4, idna: 38, url: 0 },
  },
  {
    reason: 'no name server can hold more than 253 letters: the suites leave that to the name server',
    applies: (expected) => expected.replace(/\.$/, '').length > 253,
    instead: none,
    cases: { toascii: 3, idna: 8, url: 0 },
  },
  {
    reason: 'names have letters, digits, dashes and underscores only: browsers let other signs through, and no registry does',
    applies: (expected) => !expected.startsWith('[') && /[^a-z0-9_.-]/.test(expected),
    instead: none,
    cases: { toascii: 1, idna: 23, url: 2 },
  },
  {
    reason: 'a dot at the end means the same host, so that there is one spelling of it',
    applies: (expected) => expected.endsWith('.'),
    instead: (expected) => expected.slice(0, -1),
    cases: { toascii: 0, idna: 108, url: 0 },
  },
];
