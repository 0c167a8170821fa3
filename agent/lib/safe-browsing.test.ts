import { expect, it } from 'vitest';
import { isSafeBrowsingOff } from './safe-browsing.ts';
import { unguarded } from './user-file-work.ts';

const [off, standard, enhanced] = [{ enabled: false }, { enabled: true }, { enabled: true, enhanced: true }].map((safebrowsing) =>
  JSON.stringify({ safebrowsing }),
);
const listOf = (...names: string[]) =>
  JSON.stringify({ profile: { info_cache: Object.fromEntries(names.map((name) => [name, { name: 'Ann' }])) } });
const many = (count: number) => Array.from({ length: count }, (_, n) => `Profile ${n}`);

/** The files by their path, with `/` between the names; each that is not there cannot be read. */
const computer = (files: Record<string, string | undefined>, people = ['ann'], guard = unguarded) =>
  isSafeBrowsingOff(
    {
      people: people.map((user) => ({ user, folder: user })),
      text: async (home, names) => files[[home, ...names].join('/')] ?? null,
      guard,
    },
    ['chrome'],
  );
const profile = (name: string, user = 'ann') => `${user}/chrome/${name}/Preferences`;
const list = (user = 'ann') => `${user}/chrome/Local State`;

it.each<[string, Record<string, string | undefined>, boolean]>([
  ['off in the only profile', { [list()]: listOf('Default'), [profile('Default')]: off }, true],
  ['standard', { [list()]: listOf('Default'), [profile('Default')]: standard }, false],
  ['never chosen', { [list()]: listOf('Default'), [profile('Default')]: '{"browser":{}}' }, false],
  ['enhanced', { [list()]: listOf('Default'), [profile('Default')]: enhanced }, false],
  ['off beside standard', { [list()]: listOf('A', 'B'), [profile('A')]: standard, [profile('B')]: off }, true],
  ['off beside enhanced', { [list()]: listOf('A', 'B'), [profile('A')]: off, [profile('B')]: enhanced }, false],
  ['off beside a profile that cannot be read', { [list()]: listOf('A', 'B'), [profile('A')]: off }, false],
  ['off beside a profile that is not understood', { [list()]: listOf('A', 'B'), [profile('A')]: off, [profile('B')]: '{' }, false],
  [
    'off, and enhanced by the account of the browser',
    {
      [list()]: listOf('Default'),
      [profile('Default')]: `{"safebrowsing":{"enabled":false},"account_values":{"safebrowsing":{"enabled":true,"enhanced":true}}}`,
    },
    false,
  ],
  [
    'off in a profile that the browser does not list',
    { [list()]: listOf('Default'), [profile('Default')]: standard, [profile('Old')]: off },
    false,
  ],
  ['no list of profiles', { [profile('Default')]: off }, false],
  [
    'off in the last of the profiles that are read',
    { [list()]: listOf(...many(50)), ...Object.fromEntries(many(50).map((one) => [profile(one), off])) },
    true,
  ],
  [
    'more profiles than are read',
    { [list()]: listOf(...many(51)), ...Object.fromEntries(many(51).map((one) => [profile(one), off])) },
    false,
  ],
  ['a list that is nested too deeply', { [list()]: '['.repeat(500_000), [profile('Default')]: off }, false],
])('[P16.5] Safe Browsing that is %s', async (_title, files, expected) => {
  expect(await computer(files)).toBe(expected);
});

it.each(['..', '.', '../bob', 'a\\b', 'a:b', ''])('[P16.5] the profile name %j leads nowhere', async (name) => {
  expect(await computer({ [list()]: listOf(name), [profile(name)]: off })).toBe(false);
  expect(await computer({ [list()]: listOf(name, 'Default'), [profile(name)]: enhanced, [profile('Default')]: off })).toBe(true);
});

it('[P16.5] Safe Browsing that one user has switched off is off, but not beside another who has chosen the enhanced mode, or whose files are left out', async () => {
  const files = { [list()]: listOf('Default'), [profile('Default')]: off, [list('bob')]: listOf('Default') };
  const people = ['ann', 'bob', 'without a browser'];
  expect(await computer({ ...files, [profile('Default', 'bob')]: standard }, people)).toBe(true);
  expect(await computer({ ...files, [profile('Default', 'bob')]: enhanced }, people)).toBe(false);
  const leftOut: typeof unguarded = (source, user) => (work) => (source === 'browsers' && user === 'bob' ? null : work());
  expect(await computer({ ...files, [profile('Default', 'bob')]: standard }, people, leftOut)).toBe(false);
});
