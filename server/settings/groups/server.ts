import { existsSync } from 'node:fs';
import { check, isBareWeb, isHost, isWeb, matching, oneOf, type SettingGroup, toggle, urlWith, wholeNumber } from '../setting.ts';

export const server = {
  title: 'The server',
  settings: {
    PORT: {
      ...wholeNumber(1, 65_535, 4380),
      usual: '4380',
      meaning: 'The port on which the server listens. Ports below 1024 belong to a proxy in front of it.',
      example: '4380',
    },
    HOST: {
      ...check('an address of this computer, for example 127.0.0.1, or 0.0.0.0 for all of them', isHost),
      usual: '127.0.0.1',
      meaning:
        'The address on which the server listens. The usual one lets only this computer in, which is right behind a proxy. 0.0.0.0 lets in every network that this computer is on.',
      example: '127.0.0.1',
    },
    PUBLIC_URL: {
      ...check('the address people use, without a path, for example https://www.example.org', isBareWeb),
      usual: 'http://localhost:4380',
      without: 'with the port of `PORT`',
      meaning:
        'The address that people and agents use. Every link in an email begins with it, and installers contain it. Where it is no name of this computer, the pages of the local mailbox and of the test shop are closed, unless SMTP_URL, TWILIO_API_BASE or STRIPE_API_BASE asks for them by name. Agents keep the address of their installer, so choose one that stays yours.',
      example: 'https://www.example.org',
    },
    TRUST_PROXY: {
      ...matching(/^(on|off|[1-9])$/, 'off, on, or how many proxies of yours stand one behind the other, for example 2'),
      usual: 'off',
      meaning:
        'Set it to `on` behind a proxy of yours that adds to X-Forwarded-For, so that limits count people and not the proxy. Behind several, one after the other, set their number. Only so many entries are believed, counted from the right: the caller wrote everything before them.',
      example: 'on',
    },
    NODE_ENV: {
      ...oneOf('development', 'test', 'production'),
      without: 'simulators replace what is not set; `npm run serve` sets `production`',
      meaning:
        '`production` makes the server insist on real mail, real texts, real payments, a real address, and your own words. `development`, set by hand, also sells the plan called Dev Subscription. `test` is for tests.',
      example: 'production',
    },
    LOG_LEVEL: {
      ...oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
      usual: 'info',
      meaning: 'How much the server writes to its log. Nothing about a person is in the log at any level.',
      example: 'info',
    },
  },
} satisfies SettingGroup;

export const data = {
  title: 'Data and keys',
  settings: {
    DATA_DIR: {
      ...check('a folder'),
      usual: 'data',
      without: 'in the folder of Porchlight',
      meaning: 'The folder of the embedded database, the keys, the installers and the logs. Only one server may use it.',
      example: '/var/lib/porchlight',
    },
    DATABASE_URL: {
      ...check(
        'a PostgreSQL address, for example postgres://user:password@host/porchlight',
        // The embedded database uses a socket: `postgres:///db?host=/folder` has no host.
        (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
      ),
      without: 'the embedded PostgreSQL in `DATA_DIR`',
      meaning: 'A PostgreSQL of your own. Several servers can use it together. Production then needs SECRET_KEY too.',
      example: 'postgres://porchlight:password@localhost:5432/porchlight',
    },
    SECRET_KEY: {
      ...check('at least 32 random characters; keep it, the database is sealed with it', (text) => text.length >= 32),
      without: 'a key that is made once, in `secret.key` in `DATA_DIR`',
      meaning:
        'At least 32 random characters, for example from `openssl rand -base64 32`. It seals the private keys in the database, which nobody can open without it. Store a copy where the server is not.',
      example: '',
    },
    INSTALLERS_DIR: {
      ...check('a folder'),
      usual: 'data/installers',
      without: '`installers` in `DATA_DIR`',
      meaning: 'The folder of the installers that people download, and of the updates that agents take.',
      example: '/var/lib/porchlight/installers',
    },
    INSTALLERS_BUILD: {
      ...toggle,
      usual: 'on',
      meaning:
        '`on`: the server builds the installers in the background when somebody asks for one that is not there. `off`: you build them elsewhere, where the release key is.',
      example: 'on',
    },
    RELEASE_KEY: {
      ...check('the file with your release key. Left out, one is made in DATA_DIR', existsSync),
      without: '`release-key.json` in `DATA_DIR`, made by the first `npm run installers`',
      meaning:
        'The file with the key that signs updates of the agent. It must exist. Agents take no update that another key has signed, so store a copy where the server is not. The build of installers reads it, and backups.',
      example: '/etc/porchlight/release-key.json',
    },
    WINDOWS_CERTIFICATE: {
      ...check('the file with your certificate for signing code and its key (.p12 or .pfx)', existsSync),
      without: 'nothing for Windows is signed, and Windows warns before it opens the installer',
      meaning:
        'A PKCS #12 file with a certificate for signing code, its private key, and the certificates above it. The build signs the programs for Windows with it, by `osslsigncode`. Another certificate begins a new build.',
      example: '/etc/porchlight/windows.p12',
    },
    WINDOWS_CERTIFICATE_PASSWORD_FILE: {
      ...check('the file with the password of WINDOWS_CERTIFICATE', existsSync),
      without: 'no certificate is used',
      meaning:
        'A file that has the password of `WINDOWS_CERTIFICATE` and nothing else. Only the user of the server should be able to read it.',
      example: '/etc/porchlight/windows-password',
    },
    WINDOWS_TIMESTAMP_URL: {
      ...check('the address of a timestamp server, for example http://timestamp.example.org', isWeb),
      without: 'signatures have no timestamp, and end with the certificate',
      meaning:
        'A timestamp server (RFC 3161), usually of the maker of the certificate. It confirms when a program was signed, so that the signature stays valid after the certificate has expired. It receives a hash at each build.',
      example: 'http://timestamp.example.org',
    },
  },
} satisfies SettingGroup;

export const roles = {
  title: 'Several servers',
  intro: 'One server does everything. These are for many thousands of devices: [Sizes](sizes.md).',
  settings: {
    ROLE: {
      ...oneOf('all', 'web', 'gateway', 'worker'),
      usual: 'all',
      meaning:
        '`web` answers all calls and sends nothing. `worker` sends emails, texts and calls, and does the other work in the background. `gateway` only waits with agents for changes (`POST /api/agent/changes`): with NATS_URL it needs no database and no other setting. There must be at least one `worker` or `all`.',
      example: 'all',
    },
    NATS_URL: {
      ...check('an address of NATS, for example nats://user:password@host:4222, or several with commas between them', (text) =>
        text.split(',').every((url) => urlWith(['nats', 'tls'], url.trim()) !== null),
      ),
      without: 'servers hear of changes through PostgreSQL',
      meaning: 'NATS carries changes to gateways, and their questions to the servers that have the database. The same for all of them.',
      example: 'nats://porchlight:password@localhost:4222',
    },
  },
} satisfies SettingGroup;

const connections = 'a number of connections';

export const load = {
  title: 'Under load',
  intro:
    'The usual numbers suit one server. Raise them when calls are refused with 503 although the machine has processor time and memory left.',
  settings: {
    URGENT_AT_ONCE: {
      ...wholeNumber(1, 100, 8),
      usual: '8',
      meaning:
        'How many urgent emails (alerts, codes, new passwords), and how many urgent texts, leave at the same time. Other mail has places of its own. The mail server needs up to twice as many connections while some recipients are slow, and eleven for the other mail.',
      example: '8',
    },
    BUSY_AFTER_MS: {
      ...wholeNumber(100, 600_000, 500, 'a number of milliseconds'),
      usual: '500',
      meaning:
        "How late the server's event loop may be, in milliseconds and for three seconds on end, before it refuses calls with 503 for a moment. Detections and enrolments are always taken.",
      example: '500',
    },
    DATABASE_CONNECTIONS: {
      ...wholeNumber(2, 500, 10, connections),
      usual: '10',
      meaning:
        'Connections to PostgreSQL for all calls together. A call that would wait for one longer than a second is refused with 503 and Retry-After.',
      example: '10',
    },
    DATABASE_CONNECTIONS_URGENT: {
      ...wholeNumber(1, 500, 4, connections),
      usual: '4',
      meaning: 'Connections that only detections use.',
      example: '4',
    },
    DATABASE_CONNECTIONS_JOBS: {
      ...wholeNumber(2, 500, 6, connections),
      usual: '6',
      meaning:
        'Connections that only mails, texts and other work in the background use. Each server takes one more than the three numbers together.',
      example: '6',
    },
  },
} satisfies SettingGroup;
