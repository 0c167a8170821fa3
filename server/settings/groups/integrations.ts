import { check, isWeb, matching, type SettingGroup } from '../setting.ts';

const afterConsent =
  'It comes from another server, so nothing of it is loaded unless it is set, and before the user of the page has agreed.';

export const chat = {
  title: 'A support chat',
  intro: `A chat by a Chatwoot of yours, for people who are logged in. All three settings, or none. ${afterConsent}`,
  settings: {
    CHAT_BASE_URL: {
      ...check('the address of your Chatwoot, for example https://chat.example.org', isWeb),
      without: 'no chat',
      meaning: 'The address of your Chatwoot.',
      example: 'https://chat.example.org',
    },
    CHAT_WEBSITE_TOKEN: {
      ...matching(/^[\w-]{8,}$/, 'the website token of the inbox in Chatwoot'),
      without: 'no chat',
      meaning: 'The website token of its inbox.',
      example: '',
    },
    CHAT_IDENTITY_KEY: {
      ...check('the identity validation key of the inbox in Chatwoot', (text) => text.length >= 8),
      without: 'no chat',
      meaning: 'The identity validation key of its inbox. It stays on the server.',
      example: '',
    },
  },
} satisfies SettingGroup;

export const errorReports = {
  title: 'Reports of errors',
  intro: afterConsent,
  settings: {
    SENTRY_DSN: {
      ...matching(
        /^https?:\/\/\w+(:\w+)?@[^/]+(\/[^/]+)*\/\d+$/,
        'the address that Sentry shows for the project, for example https://key@errors.example.org/1',
      ),
      without: 'no reports',
      meaning: 'The DSN of a Sentry of yours, to which errors in the dashboard are reported.',
      example: 'https://key@errors.example.org/1',
    },
  },
} satisfies SettingGroup;

export const analytics = {
  title: 'Counts of pages',
  intro: `Both settings, or none. ${afterConsent}`,
  settings: {
    ANALYTICS_URL: {
      ...check('the address of the collector, for example https://stats.example.org', isWeb),
      without: 'nothing is counted',
      meaning: 'The address of a collector that speaks as Plausible does.',
      example: 'https://stats.example.org',
    },
    ANALYTICS_DOMAIN: {
      ...matching(/^[\w.-]+$/, 'the name of the site at the collector, for example www.example.org'),
      without: 'nothing is counted',
      meaning: 'The name of the site at the collector.',
      example: 'www.example.org',
    },
  },
} satisfies SettingGroup;
