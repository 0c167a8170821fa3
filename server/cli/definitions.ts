import type { Command } from './command-deps.ts';
import { readOptions } from './usage.ts';

const rotate = (keyKind: 'signing_key' | 'root', command: { name: string; help: string }, result: string): Command => ({
  ...command,
  usage: '',
  read: (args) => {
    readOptions(command.name, args, {});
    return async ({ definitions }) => [`${result} Version ${await (await definitions()).rotate(keyKind)} is signed with it.`];
  },
});

export const rotateSigningKey = rotate(
  'signing_key',
  { name: 'definitions rotate-signing-key', help: 'A new key that signs what agents get; the old one is no longer valid.' },
  'There is a new signing key, and what the old one signs is not taken any more.',
);

export const rotateRoot = rotate(
  'root',
  { name: 'definitions rotate-root', help: 'A new root key, once a year or when someone may know the old one.' },
  'There is a new root key; agents that know the old one follow it by themselves.',
);

export const definitionStatus: Command = {
  name: 'definitions status',
  usage: '',
  help: 'What agents get now, until when, and the state of each list of sites.',
  read: (args) => {
    readOptions('definitions status', args, {});
    return async ({ definitions, siteLists }) => {
      const status = await (await definitions()).status();
      if (!status) return ['Nothing was published yet: start the server once.'];
      const { version, keys_version, issued, expires, families, sites, deltas } = status;
      const size = sites
        ? `a list of sites of ${sites.length} bytes, and changes from ${deltas.length} lists before it`
        : 'no list of sites';
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
  },
};

const shownMax = 50;

/** Lists the matches that people reported as wrong (P9.6). */
export const definitionReports: Command = {
  name: 'definitions reports',
  usage: '[--all]',
  help: `What people called wrong, the most often named first: what was matched, and nothing about who reported it.
    --all             Every one, not only the first 50.`,
  read: (args) => {
    const options = readOptions('definitions reports', args, { all: { type: 'boolean' } });
    return async ({ wrongMatches }) => {
      const { rows, all } = await wrongMatches.list(options.all ? 1_000_000 : shownMax);
      if (!rows.length) return ['Nobody has called an alert wrong.'];
      return [
        ...rows.map(({ identifier, name, category, certainty, file, count, first_day, last_day }) => {
          const matchText = file ? `the program ${file} taken for ${name}` : `the site ${name}`;
          const days = first_day === last_day ? `on ${first_day}` : `from ${first_day} to ${last_day}`;
          return `${count === 1 ? 'once' : `${count} times`}: ${matchText} (${identifier}, ${category}, ${certainty}), ${days}`;
        }),
        ...(all > rows.length ? [`And ${all - rows.length} more; --all shows every one.`] : []),
      ];
    };
  },
};
