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
