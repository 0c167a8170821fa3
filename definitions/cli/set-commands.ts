import { shippedRecognition } from '../shipped.ts';
import { newKeyPair } from '../signature.ts';
import { type Command, usageHint } from './command.ts';
import { Usage } from './command-line.ts';
import { diffRecognition } from './diff.ts';
import { recognitionIn } from './feed-folder.ts';
import { catalogueOf, problemsIn, read, writeNew } from './files.ts';

export const checkCommand: Command = {
  name: 'check',
  usage: '[FOLDER]',
  help: `Checks every file of the catalogue, or of FOLDER, the patterns of commands and the money sites, and prints what is wrong, one sentence
    a line. Exit code 1 when there is anything.`,
  async run(args, { out }) {
    const { words } = read(args, checkCommand);
    if (words.length > 1) throw new Usage(`Name at most one folder. ${usageHint(checkCommand)}`);
    const catalogue = catalogueOf(words[0]);
    const problems = problemsIn(shippedRecognition(catalogue));
    out.write(problems.map((problem) => `${problem}\n`).join(''));
    out.write(
      problems.length > 0 ? `${problems.length} to put right.\n` : `${catalogue.length} families, and nothing is wrong with them.\n`,
    );
    return problems.length > 0 ? 1 : 0;
  },
};

export const newKeyCommand: Command = {
  name: 'new-key',
  usage: '--out FILE',
  help: `Makes an Ed25519 pair for "publish", as its root or as its key, in a file that only this user can read. Never writes over a file that is there.`,
  async run(args, { out }) {
    const { words, option } = read(args, newKeyCommand, ['out']);
    const file = option('out');
    if (words.length > 0 || file === undefined) throw new Usage(`Name the file to write. ${usageHint(newKeyCommand)}`);
    const pair = newKeyPair();
    writeNew(file, `${JSON.stringify(pair)}\n`);
    out.write(`The pair is in ${file}. Its public half is ${pair.public_key}\n`);
    return 0;
  },
};

export const diffCommand: Command = {
  name: 'diff',
  usage: 'OLD NEW',
  help: `What changed between two folders, each a signed feed or one like the catalogue: what is new, changed and gone, and the facts of each
    that came (+) and went (-).`,
  async run(args, { out }) {
    const { words } = read(args, diffCommand);
    const [before, after] = words;
    if (before === undefined || after === undefined || words.length > 2) {
      throw new Usage(`Name the older and the newer one. ${usageHint(diffCommand)}`);
    }
    const lines = diffRecognition(recognitionIn(before), recognitionIn(after));
    out.write(lines.length > 0 ? lines.map((line) => `${line}\n`).join('') : 'Nothing changed.\n');
    return 0;
  },
};
