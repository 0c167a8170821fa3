import { check, isWeb, matching, oneOf, type SettingGroup, toggle, urlWith, wholeNumber } from '../setting.ts';

export const email = {
  title: 'Email',
  intro: 'Setup, and the DNS records that mail needs: [Mail, texts and payments](mail-texts-payments.md).',
  settings: {
    SMTP_URL: {
      ...check(
        'a mail server, for example smtp://user:password@host:587',
        (text) => text === 'mailbox:' || urlWith(['smtp', 'smtps'], text) !== null,
      ),
      without: 'the local mailbox',
      meaning:
        'The mail server. `mailbox:` is the local mailbox, in production and under a public address too. Characters such as @ or / in the password are percent-encoded.',
      example: 'smtps://user:password@mail.example.org',
    },
    MAIL_FROM: {
      ...matching(
        /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        'the sender of every email, for example Porchlight <support@example.org>',
      ),
      without: 'the name and the support address of `contract/brand.ts`',
      meaning: 'The sender of every email. Production insists on it.',
      example: 'Porchlight <support@example.org>',
    },
  },
} satisfies SettingGroup;

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const isCountry = (code: string) => /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined;
/** `us, ca` becomes `['US', 'CA']`. */
export const countriesIn = (text: string) => text.split(',').map((code) => code.trim().toUpperCase());

const textsPerDay = (noun: string, example: number) =>
  wholeNumber(0, 10_000_000, example, `how many ${noun} the whole service sends in a day at most,`);

export const texts = {
  title: 'Text messages and calls',
  intro: 'Setup at Twilio: [Mail, texts and payments](mail-texts-payments.md#text-messages-and-calls). The first three belong together.',
  settings: {
    TWILIO_ACCOUNT_SID: {
      ...matching(/^AC/, 'the account SID of Twilio, which begins with AC'),
      without: 'the local mailbox',
      meaning: 'The account SID of Twilio.',
      example: 'AC00000000000000000000000000000000',
    },
    TWILIO_AUTH_TOKEN: {
      ...check('the auth token of Twilio'),
      without: 'the local mailbox',
      meaning: 'The auth token of Twilio.',
      example: '',
    },
    TWILIO_FROM: {
      ...matching(/^\+[1-9]\d{6,14}$/, 'the number that texts come from, in full, for example +12025550143'),
      without: 'the local mailbox',
      meaning: 'The number that texts and calls come from, in full. People text START and STOP to it.',
      example: '+12025550143',
    },
    TWILIO_API_BASE: {
      ...check(
        'the address of something that speaks as Twilio does, for example https://api.twilio.com',
        (text) => text === 'mailbox:' || isWeb(text),
      ),
      usual: 'https://api.twilio.com',
      meaning: 'The address of another service that speaks as Twilio does. `mailbox:` is the local mailbox, in production too.',
      example: 'https://api.twilio.com',
    },
    VOICE: {
      ...toggle,
      without: '`on` where there are texts',
      meaning:
        "`off`: nobody is called. `on`: an incident that nobody answers is read to the guardians over the phone, one after the other, and to the computer's user if they agreed to it, from TWILIO_FROM.",
      example: 'on',
    },
    TEXT_COUNTRIES: {
      ...check(
        'countries with two letters each, for example US,CA, or all',
        (text) => text === 'all' || countriesIn(text).every(isCountry),
      ),
      without: 'the country of `TWILIO_FROM` (the United States and Canada together); every country with the local mailbox',
      meaning: 'The countries that texts and calls go to, with two letters each, or `all`.',
      example: 'US,CA,GB',
    },
    CODE_TEXTS_PER_DAY: {
      ...textsPerDay('code texts', 500),
      usual: '500',
      meaning:
        'How many texts and calls that people ask for (codes that prove a phone, calls that ask for consent) the whole service makes in a day (UTC) at most. At 80 % and at the end the support address gets an email.',
      example: '500',
    },
    ALERT_TEXTS_PER_DAY: {
      ...textsPerDay('alert texts', 5000),
      usual: '5000',
      meaning: 'The same for alerts. Neither number uses up the other.',
      example: '5000',
    },
  },
} satisfies SettingGroup;

/** Two labels at least, and a letter at the beginning of the last: neither an address, a name of the local network nor a whole domain such as `*.org`. */
const pushHost = /^(\*\.)?([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*$/i;

export const push = {
  title: 'Notifications in browsers',
  settings: {
    PUSH: {
      ...oneOf('on', 'off', 'mailbox:'),
      without: '`on` in production, and where `PUBLIC_URL` is no name of this computer; elsewhere as `mailbox:`',
      meaning:
        'Notifications in browsers (Web Push), which need no account anywhere. `off`: none. `mailbox:`: the simulated browsers of the local mailbox, in production too.',
      example: 'on',
    },
    PUSH_SERVICES: {
      ...check('hosts of further push services, for example push.example.org,*.push.example.net', (text) =>
        text.split(',').every((host) => pushHost.test(host.trim())),
      ),
      without: 'none',
      meaning:
        'Hosts of further push services, with commas between them, beside those of Chrome, Edge, Firefox and Safari. The server posts to no others.',
      example: 'push.example.org,*.push.example.net',
    },
  },
} satisfies SettingGroup;
