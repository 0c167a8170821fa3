import { chooseCommand } from '@porchlight/definitions/cli/command-line.ts';
import { commandTable } from '@porchlight/server/cli/commands.ts';
import { readConfig } from '@porchlight/server/config.ts';
import { settingNames } from '@porchlight/server/settings/known.ts';
import { expect, test } from 'vitest';
import { groupOf, notes } from './commands-page.ts';
import { currentText, generatedDocs } from './generated-docs.ts';

test.each(generatedDocs())('$file is what the source says; npm run check -- --write-docs writes it', ({ file, text }) => {
  expect(currentText(file)).toBe(text);
});

const textOf = (file: string) => generatedDocs().find((doc) => doc.file === file)?.text ?? '';

test('the page of settings and .env.example name every setting once', () => {
  const rows = [...textOf('docs/operating/settings.md').matchAll(/^\| `([A-Z_]+)` \| [^|]+ \| .+\.(?: .+)? \|$/gm)].map(([, name]) => name);
  expect(rows).toEqual(settingNames);
  const lines = [...textOf('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(lines).toEqual(settingNames);
});

test('.env.example without the # is accepted once its secrets are filled in', () => {
  const secrets: Record<string, string> = {
    SECRET_KEY: 'x'.repeat(32),
    TWILIO_AUTH_TOKEN: 'token',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    CHAT_WEBSITE_TOKEN: 'website-token',
    CHAT_IDENTITY_KEY: 'identity-key',
  };
  const given = Object.fromEntries(
    [...textOf('.env.example').matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value || secrets[name]]),
  );
  // The files that these settings name exist only on the operator's computer.
  const env = { ...given, RELEASE_KEY: '', WINDOWS_CERTIFICATE: '', WINDOWS_CERTIFICATE_PASSWORD_FILE: '' };
  const ownTexts = () => ({ support: { email: 'help@family-care.org', phone: '1-212-736-5000' }, pages: {} });
  expect(readConfig(env, ownTexts)).toMatchObject({ production: true, public_url: 'https://www.example.org', trust_proxy: 1 });
});

test('the page of commands has the help of every command, and no note about a command that does not exist', () => {
  const page = textOf('docs/operating/commands.md');
  for (const command of commandTable.commands) {
    const chosen = chooseCommand(['help'], { ...commandTable, commands: [command] });
    expect(page).toContain('help' in chosen ? chosen.help.trimEnd() : 'never');
  }
  const groups = commandTable.commands.map(groupOf);
  for (const group of Object.keys(notes)) expect(groups).toContain(group);
});
