/** Two things that are compared, one of which is named like a secret. */
interface Comparison {
  file: string;
  /** From 1. */
  line: number;
  /** As it is written: `session.proof !== given`. */
  text: string;
}

const named = new Set(['token', 'secret', 'key', 'hash', 'signature', 'pin', 'code', 'cookie', 'proof', 'mac', 'password']);
/** A name with what it is a member of, calls and indices included. */
const operand = String.raw`(?:typeof\s+)?[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.)[A-Za-z_$#][\w$]*|!|\?\.|\[[^\][]*\]|\((?:[^()]|\([^()]*\))*\))*`;
const literal = String.raw`'[^']*'|"[^"]*"|\x60[^\x60]*\x60|-?\d[\d_.]*n?`;
const comparison = new RegExp(`(${operand}|${literal})\\s*(===|!==|==|!=)\\s*(${operand}|${literal})`, 'g');
const equals = new RegExp(String.raw`(${operand})\.equals\(([^()]*)\)`, 'g');
/** Says whether there is something, or what kind of thing it is, and nothing of what it holds. */
const plain = /^(?:['"`\d-]|typeof\s|(?:null|undefined|true|false)$)/;

/** What is compared in a TypeScript `source` letter by letter and named like a secret, so that the time it takes reveals how much of it was right; and the number of all comparisons. */
export function comparedSecrets(file: string, source: string): { found: Comparison[]; looked: number } {
  // Blanked and not taken out, so that lines stay where they are.
  const blank = (comment: string) => comment.replace(/[^\n]/g, ' ');
  const code = source.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(?<=^|\s)\/\/.*$/gm, blank);
  const found: Comparison[] = [];
  const note = (text: string, at: number) =>
    found.push({ file, line: code.slice(0, at).split('\n').length, text: text.replace(/\s+/g, ' ') });
  let looked = 0;
  for (const { 0: text, 1: left = '', 3: right = '', index } of code.matchAll(comparison)) {
    looked += 1;
    if (!plain.test(left) && !plain.test(right) && [left, right].some(isNamedSo)) note(text, index);
  }
  for (const { 0: text, 1: left = '', 2: right = '', index } of code.matchAll(equals)) {
    looked += 1;
    if ([left, right].some(isNamedSo)) note(text, index);
  }
  return { found, looked };
}

/** `content_hash`, `webhookSecret`, `session.proof`, `hashOf(x)` is not; `tokenHash(x)` is. */
function isNamedSo(operand: string): boolean {
  const bare = operand.replace(/\([^]*\)|\[[^]*\]|[!?]/g, '');
  const name = bare.split('.').at(-1) ?? '';
  const word = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .at(-1);
  return named.has((word ?? '').replace(/s$/, ''));
}

/** Comparisons of what is no secret, each with its reason; by the file and what is written there. */
const noSecrets: Record<string, string> = {
  'server/features/accounts/admin-pin.ts pin !== not': 'a new PIN that was just made up must not be the old one; nobody guesses here',
  'server/features/accounts/rules.ts pin.slice(0, pin.length / 2).repeat(2) === pin': 'a PIN is compared with itself',
  'server/features/accounts/store.ts err.code !== uniqueViolation': 'the code of an error of the database',
  'server/features/definitions/keys.ts public_key !== now.public_key': 'a public key',
  'server/features/definitions/keys.ts key.public_key === used[purpose].public_key': 'a public key',
  'server/lib/phone.ts getCountryCallingCode(country) === code': 'the calling code of a country',
  'server/features/definitions/store.ts newest.content_hash === content_hash': 'the hash of definitions, which are public',
  'simulators/mailbox/mailbox.ts one.key === key': 'the name of a header of a mail',
  'server/integrations/sms/twilio.ts code === optedOut': 'the code of an error of Twilio',
  'definitions/mach-o.ts kind === codeSignature': 'the kind of a part of a program',
  'agent/lib/plist.ts plain === key': 'the name of a property',
  'agent/lib/plist.ts text(ref(n)) === key': 'the name of a property',
  'agent/dns-filter/dns/reply.ts code === rcodes.ok': 'the code of an answer of a name server',
  'agent/dns-filter/dns/reply.ts code === rcodes.no_such_name': 'the code of an answer of a name server',
  'agent/dns-filter/upstream.ts code !== rcodes.failed': 'the code of an answer of a name server',
  'agent/dns-filter/upstream.ts code !== rcodes.refused': 'the code of an answer of a name server',
  'agent/dns-filter/upstream.ts code !== rcodes.not_done': 'the code of an answer of a name server',
  'agent/link/ownership-question.ts current()?.code === code':
    'the code that a person at this computer typed or was handed, compared with the one that is asked about',
  'agent/os/windows/processes/end-tree.ts keyOf(entry) === key': 'the name of a process',
  'agent/api/feed.ts toldOfKeys !== err.reason': 'the reason for which a list of keys is not believed',
  'agent/disk-scan/scanner.ts key !== notes.now().looked': 'the name of what was found on the disk',
  'agent/disk-scan/scanner.ts keyOf(other) === key': 'the name of what was found on the disk',
  'agent/disk-scan/scanner.ts keyOf(other) !== key': 'the name of what was found on the disk',
  'agent/state/store.ts before?.code === code': 'the code that this computer is about to enrol with, compared with the one it tried last',
  'dev/build-dashboard.ts last === hash': 'the hash of the sources of the dashboard',
  'definitions/cli/sign-command.ts public_key === key.public_key': 'a public key',
  'definitions/importers/lolrmm-facts.ts nameKey(known.os, known.name) === nameKey(os, name)': 'the name of a program',
};

/** What is wrong in these files, one sentence each, and how much was read. `read`: the source of a file. */
export function wronglyCompared(files: string[], read: (file: string) => string): { wrong: string[]; looked: number } {
  let looked = 0;
  const wrong = files.flatMap((file) => {
    const { found, looked: here } = comparedSecrets(file, read(file));
    looked += here;
    return found
      .filter(({ text }) => !Object.hasOwn(noSecrets, `${file} ${text}`))
      .map(
        ({ line, text }) =>
          `${file}:${line}: "${text}" compares letter by letter. Use sameSecret, or say in dev/compared-secrets.ts why it is no secret.`,
      );
  });
  return { wrong, looked };
}
