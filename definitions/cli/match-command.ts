import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { compileSet } from '../match.ts';
import { type Command, usageHint } from './command.ts';
import { Usage } from './command-line.ts';
import { recognitionIn } from './feed-folder.ts';
import { catalogueOf, fileFailure, read } from './files.ts';
import { answerLine } from './seen-line.ts';

export const matchCommand: Command = {
  name: 'match',
  usage: 'FILE [--set SET]',
  help: `Says what each line of FILE is; FILE can be - for standard input. A line is a JSON object: a program that was seen,
    {"os":"windows","name":"AnyDesk.exe"} with any of path, original_name, internal_name, product, description, company,
    signer, team_id, bundle_id, sha256 (os: windows, macos or linux), or a site, {"domain":"anydesk.com"}, where a whole address will do as well.
    Prints for each, in the same order: {"match":{identifier, category, strength, why} or null,"action":{strict, permissive}}.
    A line that is wrong gets {"error":"line 7: ..."} in its place; the others are answered, and the exit code is 1.
    --set SET asks a signed feed, or another folder of the catalogue, in place of the catalogue here.`,
  async run(args, { out, input, now }) {
    const { words, option } = read(args, matchCommand, ['set']);
    const [file, ...extraWords] = words;
    if (file === undefined || extraWords.length > 0) throw new Usage(`Name one file, or - for standard input. ${usageHint(matchCommand)}`);
    const folder = option('set');
    const definitions = folder === undefined ? catalogueOf(undefined) : recognitionIn(folder).definitions;
    const time = now();
    const set = compileSet({ version: 1, issued: time.toISOString(), definitions });
    let [number, wrongLines, pendingOutput] = [0, 0, ''];
    const source = file === '-' ? input : createReadStream(file);
    try {
      if (file !== '-') await once(source, 'open');
      for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
        number += 1;
        let answer: unknown;
        try {
          answer = answerLine(number === 1 ? line.replace(/^\ufeff/, '') : line, set, time);
        } catch (reason) {
          wrongLines += 1;
          answer = { error: `line ${number}: ${reason instanceof Error ? reason.message : String(reason)}` };
        }
        pendingOutput += `${JSON.stringify(answer)}\n`;
        if (pendingOutput.length < 1 << 16) continue;
        if (!out.write(pendingOutput)) await once(out, 'drain');
        pendingOutput = '';
      }
    } catch (reason) {
      throw fileFailure(file, reason);
    }
    out.write(pendingOutput);
    return wrongLines > 0 ? 1 : 0;
  },
};
