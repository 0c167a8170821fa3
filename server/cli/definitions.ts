import type { Command } from './parts.ts';
import { readOptions } from './usage.ts';

const rotate =
  (which: 'signing_key' | 'root', words: string, said: string): Command =>
  (args) => {
    readOptions(`definitions ${words}`, args, {});
    return async ({ definitions }) => [`${said} Version ${await (await definitions()).rotate(which)} is signed with it.`];
  };

export const rotateSigningKey = rotate(
  'signing_key',
  'rotate-signing-key',
  'There is a new signing key, and what the old one signs is not taken any more.',
);

export const rotateRoot = rotate('root', 'rotate-root', 'There is a new root key; agents that know the old one follow it by themselves.');

export const definitionStatus: Command = (args) => {
  readOptions('definitions status', args, {});
  return async ({ definitions, siteLists }) => {
    const status = await (await definitions()).status();
    if (!status) return ['Nothing was published yet: start the server once.'];
    const { version, keys_version, issued, expires, families, sites, deltas } = status;
    const size = sites ? `a list of sites of ${sites.length} bytes, and changes from ${deltas.length} lists before it` : 'no list of sites';
    return [
      `Version ${version} of ${issued}, signed anew before ${expires}: ${families} families, ${size}. The list of keys is number ${keys_version}.`,
      ...(await siteLists.all()).map(({ url, count, fetched, problem }) =>
        [
          `${url}: ${count} sites`,
          fetched ? `as of ${fetched.toISOString()}` : 'never fetched',
          ...(problem ? [`last try: ${problem}`] : []),
        ].join(', '),
      ),
    ];
  };
};

const shown = 50;

/** What people called wrong (P9.6). */
export const definitionReports: Command = (args) => {
  const typed = readOptions('definitions reports', args, { all: { type: 'boolean' } });
  return async ({ wrongMatches }) => {
    const { rows, all } = await wrongMatches.list(typed.all ? 1_000_000 : shown);
    if (!rows.length) return ['Nobody has called an alert wrong.'];
    return [
      ...rows.map(({ identifier, name, category, certainty, file, count, first_day, last_day }) => {
        const what = file ? `the program ${file} taken for ${name}` : `the site ${name}`;
        const days = first_day === last_day ? `on ${first_day}` : `from ${first_day} to ${last_day}`;
        return `${count === 1 ? 'once' : `${count} times`}: ${what} (${identifier}, ${category}, ${certainty}), ${days}`;
      }),
      ...(all > rows.length ? [`And ${all - rows.length} more; --all shows every one.`] : []),
    ];
  };
};
