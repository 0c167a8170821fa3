import { check, isBareWeb, matching, type SettingGroup, toggle } from '../setting.ts';

export const payments = {
  title: 'Payments',
  intro: 'Setup at Stripe: [Mail, texts and payments](mail-texts-payments.md#payments). The first two belong together.',
  settings: {
    STRIPE_SECRET_KEY: {
      ...matching(/^[rs]k_(test|live)_\w+$/, 'the secret or a restricted key of Stripe, which begins with sk_ or rk_'),
      without: 'the test shop, where nothing is charged',
      meaning: 'The secret key of Stripe, or a restricted one that may read its own account.',
      example: '',
    },
    STRIPE_WEBHOOK_SECRET: {
      ...matching(/^whsec_/, 'the signing secret of the webhook at Stripe, which begins with whsec_'),
      without: 'the test shop, where nothing is charged',
      meaning: 'The signing secret of the webhook that Stripe calls at /api/stripe/webhook. It begins with whsec_.',
      example: '',
    },
    // Stripe's library takes a host and a port, and no path.
    STRIPE_API_BASE: {
      ...check(
        'the address of something that speaks as Stripe does, without a path, for example https://api.stripe.com',
        (text) => text === 'till:' || isBareWeb(text),
      ),
      usual: 'https://api.stripe.com',
      meaning: 'The address of another service that speaks as Stripe does. `till:` is the test shop, in production too.',
      example: 'https://api.stripe.com',
    },
    STRIPE_PLANS: {
      ...matching(
        /^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$/,
        'price ids with the names that people see, for example price_1=Individual,price_2=Friends & Family',
      ),
      without: 'the names at Stripe',
      meaning: 'What people call the plans: price=name, with commas between them.',
      example: 'price_1=Individual,price_2=Friends & Family',
    },
  },
} satisfies SettingGroup;

/** The server's own computer may serve the feed. */
const feedFolder = /^(https:\/\/|http:\/\/127\.0\.0\.1:)[^\s?#]+$/;

/** Loopback is only for the list servers of tests: the fetcher of a real server refuses it. */
const list = /^(https:\/\/|http:\/\/127\.0\.0\.1:)[^\s,|]+(\|(auto|hosts|adblock|plain|keep|young))?$/;

export const sites = {
  title: 'What is recognized',
  intro: 'The lists of scam sites that ship with the server, and those of your own: [Lists of scam sites](../site-lists.md).',
  settings: {
    DEFINITIONS_FEED: {
      ...check(
        'off, or the https:// address of a folder with feed.json in it, without ? and #, for example https://feed.example.org/definitions',
        (text) => text === 'off' || feedFolder.test(text),
      ),
      without: 'the feed of the project, or only what ships with the server where the project names none',
      meaning:
        'Where new programs, pasted commands and money sites are fetched from, once a day. Only what the pinned key signed is taken. `off`: only what ships with this version.',
      example: 'https://feed.example.org/definitions',
    },
    DEFINITIONS_FEED_KEY: {
      ...matching(/^[\w-]{43}$/, 'the public half of the root key of the feed, 43 letters, digits, - and _'),
      without: 'the key of the project',
      meaning: 'The key that signs another feed than that of the project. It is pinned: a new key counts only when this one signed it.',
      example: 'the-public-half-of-the-root-key-of-the-feed',
    },
    SITE_LISTS: {
      ...check(
        'off, or default, first and addresses of lists with their format (auto, hosts, adblock, plain, keep for sites that stay open, or young for sites that were registered within 14 days), for example default,https://lists.example.org/scam.txt|hosts',
        (text) => text.trim() === 'off' || text.split(',').every((one) => /^(default|first)$/.test(one.trim()) || list.test(one.trim())),
      ),
      usual: 'default',
      meaning:
        'Which scam sites are blocked. `default`: a first list that ships with the server, and lists that are fetched once a day. Lists of your own stand beside it, with commas between them; after a | comes the format: hosts, adblock, plain or auto, keep for sites that the others may not block, or young for sites that were registered within 14 days, which are paused on someone else’s computer. `first`: the first list alone. `off`: none.',
      example: 'default,https://lists.example.org/scam.txt|hosts',
    },
  },
} satisfies SettingGroup;

export const switches = {
  title: 'Parts that can be switched off',
  settings: {
    FEATURE_EMAIL_CHECK: {
      ...toggle,
      usual: 'on',
      meaning: '`off`: an address need not be confirmed before someone uses the service.',
      example: 'on',
    },
    FEATURE_UNVERIFIED_BANNER: {
      ...toggle,
      usual: 'on',
      meaning: '`off`: no banner reminds people to confirm their address.',
      example: 'on',
    },
    FEATURE_GUARDIANS: {
      ...toggle,
      usual: 'on',
      meaning:
        '`off`: there are no guardians. None can be invited, none is notified, and their pages are closed. Earlier ones are stored, and come back when it is on again.',
      example: 'on',
    },
    FEATURE_SMS: {
      ...toggle,
      usual: 'on',
      meaning: '`off`: there are no texts, no calls, no codes by text and no phone numbers.',
      example: 'on',
    },
    FEATURE_PHONE_VERIFICATION: {
      ...toggle,
      usual: 'on',
      meaning: '`off`: a phone number is used as it was saved, without a code. A mistyped number then sends alerts to a stranger.',
      example: 'on',
    },
  },
} satisfies SettingGroup;
