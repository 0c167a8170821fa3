import { Buffer } from 'node:buffer';

/** What people type, and what other programs answer. */
export const canaries = {
  'name of the holder': 'Quillivane Ostreby',
  'email address of the holder': 'ostreby.holder@quill.example',
  'name of someone who registers twice': 'Bramwick Tolsey',
  'password that is too common or too short': 'zorpl',
  'wrong password at a login': 'marzipan-tuvold-71',
  'email address of a failed login': 'velmo.unknown@drabb.example',
  'email address of a forgotten password': 'nostral.forgets@drabb.example',
  'forged web token': 'forged-web-token-kesk-88c1f0d2a9',
  'forged token of an email': 'forged-mail-token-lumm-3d9e77',
  'name of a device': 'Wobbletop of Fenwrick',
  'second name of a device': 'Gannet of Yarlside',
  'host name of a computer': 'hostferrule-laptop',
  'name of the user of a device': 'Philomora Dunkett',
  'phone number of the user of a device': '+12025550187',
  'name of a guardian': 'Cassivel Brumhart',
  'email address of a guardian': 'brumhart.guards@quill.example',
  'forged key of a guardian': 'forged-guardian-key-otta-51ac',
  'phone number of the holder': '+12025550176',
  'invalid phone number': '+1 202 555 99 88 77 66',
  'file path of a detection': '/home/jennifold/Downloads/payslip-may.exe',
  'name of an alert': 'Skrellwood Remote',
  'identifier of an alert': 'skrell-ident-77',
  'path in a scan': 'C:\\Users\\Ottoline Perch\\evil.exe',
  'problem that an agent reports': 'cannot write /home/marjolie/state',
  'email address in a query': 'query.person@thimble.example',
  'email address in a path': 'path.person@thimble.example',
  'cookie of a stranger': 'cookieval-yessim-4455',
  'address of the caller': '198.18.250.251',
  'browser of the caller': 'NellibrowserOfHers/9.1',
  'page that led here': 'https://letters.example/to-grandma-hettiwick',
  'body of a payment webhook': 'webhook.payer@coin.example',
  'signature of a payment webhook': 't=1,v1=sigbadgerquoll',
  'text message to us': 'please call me back, yours Thessaly',
  'wrong PIN': '48302917',
  'body of a passkey': 'cGFzc2tleS1vZi1ub3Jh',
  'name of a policy': 'Rules for Uncle Bertwhistle',
  'allowed site': 'bank-of-snorrivale.example',
  'promotion code': 'PROMO-HALDIS-9',
  'name in an unexpected error': 'Orsolette Vanderkamp has no phone',
  'answer of the mail server': 'unknown user fromm.mailbox@drabb.example',
  'answer of the telephone service': "The 'To' number +12025550155 of Wilhelmot is not valid",
  'error of the payment service': 'No such customer: stripe.person@coin.example',
  'error in a job': 'no line to Annelore Zwick',
  'value of the wrong type': 'uncastable-perrywinkle',
  'malformed JSON': '{"email": "json.person@thimble.example", oops',
} as const;
type Canary = keyof typeof canaries;
export const value = (name: Canary): string => canaries[name];

const fragments = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
];

/** Words that occur nowhere else: a part of a name is a name too. */
const rareWords = (secret: string) => secret.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= 6 && !common.has(word.toLowerCase()));
const common = new Set([
  ...['example', 'holder', 'guards', 'unknown', 'forged', 'guardian', 'laptop', 'downloads', 'remote', 'person', 'cannot', 'access'],
  ...[
    'letters',
    'customer',
    'number',
    'mailbox',
    'please',
    'answer',
    'system',
    'forgets',
    'identifier',
    'payslip',
    'grandma',
    'address',
    'webhook',
    'stripe',
  ],
]);

/** Digits alone may be a part of a time. */
const contains = (where: string, part: string) =>
  /^\+?\d+$/.test(part) ? new RegExp(`(?<!\\d)${part.replace('+', '')}(?!\\d)`).test(where) : where.includes(part);

/** Which of these secrets a text has, whole, in another form or in part. */
export function secretsIn(text: string, secrets: Iterable<[name: string, secret: string]>): string[] {
  const lower = text.toLowerCase();
  return [...secrets].flatMap(([name, secret]) =>
    [...fragments(secret), ...rareWords(secret)].filter((part) => contains(lower, part.toLowerCase())).map((part) => `${name}: ${part}`),
  );
}
