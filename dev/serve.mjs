import { begin } from './setup.mjs';

await begin('dev/serve.ts', {
  needs: 'production',
  installs: false,
  help: `npm run serve             Runs the server alone, for people: with NODE_ENV=production unless it is set, so with real mail, texts and payments,
                          or with simulators that are asked for by name (SMTP_URL=mailbox:, TWILIO_API_BASE=mailbox:, STRIPE_API_BASE=till:).
                          SIGTERM or Ctrl-C ends it. It installs and builds nothing.
npm run serve -- --help   This page.

Once, and after each new version: npm ci && npm run build && npm ci --omit=dev
Settings come from the environment or from a file .env; docs/operating/settings.md has the table of those there are.`,
});
