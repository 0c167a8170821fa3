import { checkCatalogue } from '../check.ts';
import type { DefinitionSet } from '../recognition.ts';
import { shippedRecognition } from '../shipped.ts';
import { newKeyPair } from '../signature.ts';
import { type Command, usageHint } from './command.ts';
import { Usage } from './command-line.ts';
import { diffDefinitions } from './diff.ts';
import { catalogueOf, checkedCatalogue, definitionsOf, read, write, writeNew } from './files.ts';

export const checkCommand: Command = {
  name: 'check',
  usage: '[FOLDER]',
  help: `Reads every file of the catalogue, or of FOLDER, and prints what is wrong, one sentence a line. Exit code 1 when there is anything.`,
  async run(args, { out }) {
    const { words } = read(args, checkCommand);
    if (words.length > 1) throw new Usage(`Name at most one folder. ${usageHint(checkCommand)}`);
    const catalogue = catalogueOf(words[0]);
    const problems = checkCatalogue(catalogue);
    out.write(problems.map((problem) => `${problem}\n`).join(''));
    out.write(
      problems.length > 0 ? `${problems.length} to put right.\n` : `${catalogue.length} families, and nothing is wrong with them.\n`,
    );
    return problems.length > 0 ? 1 : 0;
  },
};

export const buildCommand: Command = {
  name: 'build',
  usage: '--version N --out FILE [--from FOLDER]',
  help: `Checks the catalogue (or FOLDER) and writes it as one set, not signed yet. N must be larger than that of the last set: an agent
    never takes an older one. Writes nothing when the check finds anything.`,
  async run(args, { out, now }) {
    const { words, option } = read(args, buildCommand, ['version', 'out', 'from']);
    const [version, file] = [Number(option('version')), option('out')];
    if (words.length > 0 || file === undefined || !Number.isSafeInteger(version) || version < 1) {
      throw new Usage(`Say which version, a whole number from 1, and which file. ${usageHint(buildCommand)}`);
    }
    const set: DefinitionSet = { version, issued: now().toISOString(), ...shippedRecognition(checkedCatalogue(option('from'))) };
    write(file, JSON.stringify(set));
    out.write(
      `${set.definitions.length} families, version ${version}, in ${file}. Next: npm run -s definitions -- sign ${file} --root ROOT --key KEY --out FOLDER\n`,
    );
    return 0;
  },
};

export const newKeyCommand: Command = {
  name: 'new-key',
  usage: '--out FILE',
  help: `Makes an Ed25519 pair for "sign", as its root or as its key, in a file that only this user can read. Never writes over a file that is there.`,
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
  help: `What changed between two sets, built or signed, or two folders of the catalogue: families that are new, changed and gone, and the
    facts of each that came (+) and went (-).`,
  async run(args, { out }) {
    const { words } = read(args, diffCommand);
    const [before, after] = words;
    if (before === undefined || after === undefined || words.length > 2) {
      throw new Usage(`Name the older and the newer one. ${usageHint(diffCommand)}`);
    }
    const lines = diffDefinitions(definitionsOf(before), definitionsOf(after));
    out.write(lines.length > 0 ? lines.map((line) => `${line}\n`).join('') : 'Nothing changed.\n');
    return 0;
  },
};
