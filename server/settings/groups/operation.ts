import { check, isHost, isWeb, matching, type SettingGroup, wholeNumber } from '../setting.ts';

export const operation = {
  title: 'Watching the server',
  intro: 'What there is to see, and what you are notified of: [Watching the server](watching.md).',
  settings: {
    METRICS_PORT: {
      ...wholeNumber(1, 65_535, 9464),
      without: 'no port of its own',
      meaning: 'A port of its own for `/metrics`, in the format of Prometheus.',
      example: '9464',
    },
    METRICS_HOST: {
      ...check('an address of this computer, for example 127.0.0.1, or 0.0.0.0 for all of them', isHost),
      usual: '127.0.0.1',
      meaning: 'The address on which METRICS_PORT listens. Where it is not this computer alone, METRICS_TOKEN has to be set too.',
      example: '127.0.0.1',
    },
    METRICS_TOKEN: {
      ...matching(/^\S{20,}$/, 'at least 20 random characters without a space'),
      without: '`/metrics` is on METRICS_PORT only',
      meaning:
        'Opens `/metrics` at the address of the server too, for callers that send it as `Authorization: Bearer`. METRICS_PORT then asks for it as well.',
      example: '',
    },
    OPERATOR_EMAIL: {
      ...matching(/^[^\s<>@]+@[^\s<>@]+$/, 'an email address, for example operator@example.org'),
      without: 'the support address of `contract/brand.ts`',
      meaning: 'Who gets an email when something concerns the whole service, and again when it is well.',
      example: 'operator@example.org',
    },
    OPERATOR_PHONE: {
      ...matching(/^\+[1-9]\d{6,14}$/, 'a phone number with its country, for example +12025550143'),
      without: 'no text messages to the operator',
      meaning: 'Who gets a text about the same, for the times when no email leaves.',
      example: '+12025550143',
    },
    OPERATOR_WEBHOOK: {
      ...check('an address that takes a POST, for example https://hooks.example.org/porchlight', isWeb),
      without: 'no webhook',
      meaning:
        'Gets the same as JSON with the fields `text`, `problem`, `state`, `since` and `server`, for a chat or a pager. It also works while the database is away.',
      example: 'https://hooks.example.org/porchlight',
    },
    BACKUP_ALERT_HOURS: {
      ...matching(/^(off|[1-9]\d{0,3})$/, 'a number of hours, for example 36, or off'),
      usual: '36',
      meaning: 'You are notified when the newest backup by `backup` is older than this. `off`: you make backups by other means.',
      example: '36',
    },
    LOG_FILE: {
      ...check('a file, for example /var/log/porchlight/server.log'),
      without: 'the log goes to standard output, where systemd and containers rotate it',
      meaning: 'A file for the log. It is rotated at LOG_FILE_MB, and LOG_FILES older ones stay.',
      example: '/var/log/porchlight/server.log',
    },
    LOG_FILE_MB: {
      ...wholeNumber(1, 10_000, 20, 'a number of megabytes'),
      usual: '20',
      meaning: 'The size in megabytes from which a new LOG_FILE begins.',
      example: '20',
    },
    LOG_FILES: {
      ...wholeNumber(1, 1000, 10),
      usual: '10',
      meaning: 'How many older files of LOG_FILE stay.',
      example: '10',
    },
  },
} satisfies SettingGroup;
