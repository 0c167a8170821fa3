interface Comparison {
  file: string;
  line: number;
  text: string;
}

const secretWords = new Set(['token', 'secret', 'key', 'hash', 'signature', 'pin', 'code', 'cookie', 'proof', 'mac', 'password']);
const operand = String.raw`(?:typeof\s+)?[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.)[A-Za-z_$#][\w$]*|!|\?\.|\[[^\][]*\]|\((?:[^()]|\([^()]*\))*\))*`;
const literal = String.raw`'[^']*'|"[^"]*"|\x60[^\x60]*\x60|-?\d[\d_.]*n?`;
const comparison = new RegExp(`(${operand}|${literal})\\s*(===|!==|==|!=)\\s*(${operand}|${literal})`, 'g');
const equals = new RegExp(String.raw`(${operand})\.equals\(([^()]*)\)`, 'g');
/** Operands that reveal nothing of a secret. */
const harmlessOperand = /^(?:['"`\d-]|typeof\s|(?:null|undefined|true|false)$)/;

/** Finds comparisons of secrets whose duration depends on how many characters are right. */
export function comparedSecrets(file: string, source: string): { found: Comparison[]; checked: number } {
  const blank = (comment: string) => comment.replace(/[^\n]/g, ' ');
  const code = source.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(?<=^|\s)\/\/.*$/gm, blank);
  const comparisons: Comparison[] = [];
  const note = (text: string, offset: number) =>
    comparisons.push({ file, line: code.slice(0, offset).split('\n').length, text: text.replace(/\s+/g, ' ') });
  let checked = 0;
  for (const { 0: text, 1: left = '', 3: right = '', index } of code.matchAll(comparison)) {
    checked += 1;
    if (!harmlessOperand.test(left) && !harmlessOperand.test(right) && [left, right].some(isSecretName)) note(text, index);
  }
  for (const { 0: text, 1: left = '', 2: right = '', index } of code.matchAll(equals)) {
    checked += 1;
    if ([left, right].some(isSecretName)) note(text, index);
  }
  return { found: comparisons, checked };
}

/** True for `content_hash`, `webhookSecret`, `session.proof` and `tokenHash(x)`, false for `hashOf(x)`. */
function isSecretName(operand: string): boolean {
  const bareOperand = operand.replace(/\([^]*\)|\[[^]*\]|[!?]/g, '');
  const name = bareOperand.split('.').at(-1) ?? '';
  const word = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .at(-1);
  return secretWords.has((word ?? '').replace(/s$/, ''));
}

/** Comparisons of harmless values, with the reasons. */
const harmlessComparisons: Record<string, string> = {
  'server/features/accounts/admin-pin.ts pin !== excludedPin':
    'a new PIN that was just made up must not be the old one; nobody guesses here',
  'server/features/accounts/rules.ts pin.slice(0, pin.length / 2).repeat(2) === pin': 'a PIN is compared with itself',
  'server/features/accounts/store.ts err.code !== uniqueViolation': 'the code of an error of the database',
  'server/cli/doctor/address-checks.ts settings.push.public_key !== row.public_key': 'a public key',
  'server/cli/doctor/key-checks.ts believed !== key.public_key': 'a public key',
  'server/features/definitions/keys.ts public_key !== currentKey.public_key': 'a public key',
  'server/features/definitions/keys.ts key.public_key === usedKeys[purpose].public_key': 'a public key',
  'server/texts/phone.ts getCountryCallingCode(country) === code': 'the calling code of a country',
  'server/features/definitions/store.ts newest.content_hash === content_hash': 'the hash of definitions, which are public',
  'simulators/mailbox/mailbox.ts one.key === key': 'the name of a header of a mail',
  'server/notifications/calls/call-webhooks.ts call.pressed !== key': 'the key that was pressed on a phone',
  'server/integrations/sms/twilio.ts code === optedOutCode': 'the code of an error of Twilio',
  'definitions/mach-o.ts kind === codeSignature': 'the kind of a part of a program',
  'agent/dns-filter/dns/reply.ts code === rcodes.ok': 'the code of an answer of a name server',
  'agent/dns-filter/dns/reply.ts code === rcodes.no_such_name': 'the code of an answer of a name server',
  'agent/dns-filter/chosen-upstream.ts fallback.reply.code !== rcodes.failed': 'the code of an answer of a name server',
  'agent/dns-filter/protective-service.ts answer.reply.code === rcodes.refused': 'the code of an answer of a name server',
  'agent/dns-filter/protective-service.ts answer.reply.code === rcodes.failed': 'the code of an answer of a name server',
  'agent/dns-filter/upstream.ts code !== rcodes.failed': 'the code of an answer of a name server',
  'agent/dns-filter/upstream.ts code !== rcodes.refused': 'the code of an answer of a name server',
  'agent/dns-filter/upstream.ts code !== rcodes.not_implemented': 'the code of an answer of a name server',
  'agent/link/ownership-question.ts current()?.code === code':
    'the code that a person at this computer typed or was handed, compared with the one that is asked about',
  'agent/os/windows/processes/end-tree.ts keyOf(entry) === key': 'the name of a process',
  'agent/disk-scan/scanner.ts key !== notes.now().looked': 'the name of what was found on the disk',
  'agent/disk-scan/scanner.ts keyOf(other) === key': 'the name of what was found on the disk',
  'agent/disk-scan/scanner.ts keyOf(other) !== key': 'the name of what was found on the disk',
  'server/features/definitions/keys.ts expectedKey === next': 'a public key',
  'server/features/definitions/keys.ts expectedKey !== from': 'a public key',
  'server/features/definitions/store.ts delta.from === oldHash': 'the hash of a list of sites, which is public',
  'agent/os/macos/dns-servers.ts cacheKey !== cachedNames.of': 'the names of network services',
  'agent/os/windows/people/user-files.ts existingHash === sha256': 'the hash of a file',
  'agent/os/windows/services/run-as-service.ts controlCode === controls.stop': 'the code of an order of Windows to a service',
  'agent/os/windows/services/run-as-service.ts controlCode === controls.shutdown': 'the code of an order of Windows to a service',
  'agent/os/windows/services/run-as-service.ts controlCode === controls.power': 'the code of an order of Windows to a service',
  'agent/os/windows/services/run-as-service.ts controlCode !== controls.interrogate': 'the code of an order of Windows to a service',
  'agent/quarantine/quarantined-file.ts contentHash !== entry.sha256': 'the hash of a file',
  'agent/quarantine/quarantined-file.ts contentHash === entry.sha256': 'the hash of a file',
  'agent/state/store.ts storedAttempt?.code === code':
    'the code that this computer is about to enrol with, compared with the one it tried last',
  'dev/build-dashboard.ts lastHash === hash': 'the hash of the sources of the dashboard',
  'definitions/cli/publish-keys.ts public_key === key.public_key': 'a public key',
  'definitions/cli/publish-keys.ts former.open.keys.root !== root.public_key': 'a public key',
  'definitions/cli/publish-keys.ts next_root !== root.public_key': 'a public key',
  'definitions/cli/publish-keys.ts next_root === root.public_key': 'a public key',
  'definitions/importers/lolrmm-facts.ts nameKey(existing.os, existing.name) === nameKey(os, name)': 'the name of a program',
};

/** Finds wrong comparisons, a sentence each. `read`: returns a file's source. */
export function wronglyCompared(files: string[], read: (file: string) => string): { wrong: string[]; checked: number } {
  let checked = 0;
  const wrong = files.flatMap((file) => {
    const { found, checked: checkedHere } = comparedSecrets(file, read(file));
    checked += checkedHere;
    return found
      .filter(({ text }) => !Object.hasOwn(harmlessComparisons, `${file} ${text}`))
      .map(
        ({ line, text }) =>
          `${file}:${line}: "${text}" compares letter by letter. Use sameSecret, or say in dev/compared-secrets.ts why it is no secret.`,
      );
  });
  return { wrong, checked };
}
