import { readFile } from 'node:fs/promises';
import { Failure, Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Command, CommandDeps } from './command-deps.ts';
import { readOptions } from './usage.ts';

export const raiseEpoch: Command = {
  name: 'epoch raise',
  usage: '',
  help: 'After the database was restored from a backup: agents take what it says, although they have seen newer versions.',
  read: (args) => {
    readOptions('epoch raise', args, {});
    return async ({ definitions }) => [
      `The epoch is ${await (await definitions()).raiseEpoch()}. Agents take what this database says from now on, also where they have seen newer versions.`,
      'A key that was changed after the backup was made is the old one again: if it was changed because somebody may know it, change it once more.',
    ];
  },
};

const rotate = (purpose: 'policy' | 'link', help: string, keyText: string, graceSentence: string): Command => ({
  name: `keys rotate-${purpose}`,
  usage: '[--stolen]',
  help: `${help}\n    --stolen          Someone may know the old key: it is invalid at once.`,
  read: (args) => {
    const { stolen = false } = readOptions(`keys rotate-${purpose}`, args, { stolen: { type: 'boolean' } });
    return async ({ definitions }) => {
      await (await definitions()).rotateKey(purpose, { stolen });
      return [
        `There is a new key for ${keyText}; agents follow it on their own. ${stolen ? 'What the old one signed is not taken any more.' : graceSentence}`,
      ];
    };
  },
});

export const rotatePolicy = rotate(
  'policy',
  'A new key for the policies of devices.',
  'policies',
  'The old one is good for ten more minutes.',
);
export const rotateLink = rotate(
  'link',
  'A new key for links; those that were given out work for 7 days.',
  'links',
  'Links that were given out before still work, for seven days.',
);

/** Each of the keys that the server makes, in the order in which agents follow them. */
const allKeys: { what: string; rotate(definitions: Definitions, stolen: boolean): Promise<unknown> }[] = [
  { what: 'policies', rotate: (definitions, stolen) => definitions.rotateKey('policy', { stolen }) },
  { what: 'links', rotate: (definitions, stolen) => definitions.rotateKey('link', { stolen }) },
  { what: 'definitions', rotate: (definitions) => definitions.rotate('signing_key') },
];

type Definitions = Awaited<ReturnType<CommandDeps['definitions']>>;

export const rotateKeys: Command = {
  name: 'keys rotate',
  usage: '[--stolen]',
  help: `New keys for policies, links and definitions in one go; agents follow on their own. The root and release keys have commands of their own.
    --stolen          Someone may know the old ones: they are invalid at once.`,
  read: (args) => {
    const { stolen = false } = readOptions('keys rotate', args, { stolen: { type: 'boolean' } });
    return async ({ definitions }) => {
      const store = await definitions();
      const done: string[] = [];
      for (const { what, rotate: rotateOne } of allKeys) {
        await rotateOne(store, stolen).catch((reason: Error) => {
          throw new Failure([...done, `The key for ${what} is the old one: ${reason.message}. Run this again.`].join('\n'));
        });
        done.push(`There is a new key for ${what}.`);
      }
      return [
        ...done,
        stolen
          ? 'What the old keys signed is not taken any more: links that were given out before are dead.'
          : 'The old key for policies is good for ten more minutes, links that were given out before for seven days, and the old key for definitions not any more.',
      ];
    };
  },
};

export const rotateRelease: Command = {
  name: 'keys rotate-release',
  usage: '--statement FILE',
  help: `A new key for updates of the agent, by the statement that
    npm run installers -- --new-release-key has made.`,
  read: (args) => {
    const { statement: file } = readOptions('keys rotate-release', args, { statement: { type: 'string' } });
    if (file === undefined) {
      throw new Usage(
        'Name the statement with --statement FILE; "npm run installers -- --new-release-key" makes it, where the release key is.',
      );
    }
    return async ({ definitions }) => {
      const text = await readFile(file, 'utf8').catch(() => {
        throw new Usage(`${file} cannot be read; check the name.`);
      });
      const { outcome, next } = await (await definitions()).rotateReleaseKey(text);
      if (outcome === 'no_statement') {
        throw new Usage(`${file} is not a statement of a new release key; "npm run installers -- --new-release-key" makes one.`);
      }
      if (outcome === 'does_not_follow') {
        throw new Usage(
          'This statement does not follow the last one: it is signed with another key than agents believe now. Nothing changed.',
        );
      }
      if (outcome === 'known') return ['Agents know this release key already; nothing changed.'];
      return [
        `Agents take updates that ${next} signed from now on, and none of the key before. Run npm run installers, so that the update they are offered is signed with it.`,
      ];
    };
  },
};
