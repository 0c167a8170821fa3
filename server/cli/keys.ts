import { readFile } from 'node:fs/promises';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';
import type { Command } from './parts.ts';
import { readOptions } from './usage.ts';

export const raiseEpoch: Command = (args) => {
  readOptions('epoch raise', args, {});
  return async ({ definitions }) => [
    `The epoch is ${await (await definitions()).raiseEpoch()}. Agents take what this database says from now on, also where they have seen newer versions.`,
    'A key that was changed after the backup was made is the old one again: if it was changed because somebody may know it, change it once more.',
  ];
};

const rotate =
  (purpose: 'policy' | 'link', what: string, beside: string): Command =>
  (args) => {
    const { stolen = false } = readOptions(`keys rotate-${purpose}`, args, { stolen: { type: 'boolean' } });
    return async ({ definitions }) => {
      await (await definitions()).rotateKey(purpose, { stolen });
      return [
        `There is a new key for ${what}; agents follow it on their own. ${stolen ? 'What the old one signed is not taken any more.' : beside}`,
      ];
    };
  };

export const rotatePolicy = rotate('policy', 'policies', 'The old one is good for ten more minutes.');
export const rotateLink = rotate('link', 'links', 'Links that were given out before still work, for seven days.');

export const rotateRelease: Command = (args) => {
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
};
