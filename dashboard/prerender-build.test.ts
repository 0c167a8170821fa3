import { brand } from '@porchlight/contract/brand.ts';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { sameForAllSettings } from './prerender-build.ts';

const built = async (): Promise<Map<string, string>> => {
  const { output } = (await build({ root: import.meta.dirname, logLevel: 'silent', build: { write: false } })) as Rolldown.RolldownOutput;
  return new Map(output.flatMap((file) => (file.type === 'asset' ? [[file.fileName, String(file.source)] as const] : [])));
};

test('the build renders the pages for guests, each with its title, its styles and no form that could be sent without the script', {
  timeout: 180_000,
}, async () => {
  const files = await built();
  const titles = Object.fromEntries(
    [...files].flatMap(([name, html]) => (name.startsWith('guest/') ? [[name.slice(6, -5), /<title>(.*?)<\/title>/.exec(html)?.[1]]] : [])),
  );
  expect(titles).toEqual({
    'forgot-password': 'Forgot password · Porchlight',
    'free-download': 'Free plan · Porchlight',
    guardian: 'Porchlight',
    'help-now': 'I think I am being scammed · Porchlight',
    login: 'Log in · Porchlight',
    register: 'Register · Porchlight',
    share: 'Porchlight',
  });
  const login = files.get('guest/login.html') ?? '';
  expect(login).toContain('<h1>Log in</h1>');
  expect(login).toMatch(/<link rel="stylesheet"[^>]* href="\/dashboard\/assets\/accounts-/);
  for (const name of ['login', 'register', 'forgot-password'])
    expect(files.get(`guest/${name}.html`), name).toMatch(/<button (?=[^>]*type="submit")(?=[^>]*disabled)/);
  expect(files.get('index.html')).toContain('<div id="root"></div>');
});

test('a page for guests that depends on a setting of the server fails the build, and another one does not', async () => {
  const entry = (html: string) => `module.exports.guardianPage = () => ${html}`;
  const rendered = (html: string) =>
    sameForAllSettings('/dashboard/guardian', entry(html), async ({ guardianPage }) => ({ html: guardianPage(), title: null }));
  const settings = "JSON.parse(document.getElementById('config').textContent)";
  await expect(rendered(`String(${settings}.features.sms)`)).rejects.toThrow(/depends on a setting/);
  expect(await rendered(`${settings}.support.title`)).toEqual({ html: brand.support.title, title: null });
});
