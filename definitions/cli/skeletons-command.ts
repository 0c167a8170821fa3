import { skeletonsFrom } from '../names/skeletons.ts';
import { type Command, usageHint } from './command.ts';
import { Usage } from './command-line.ts';
import { read, readText, write } from './files.ts';

export const skeletonsCommand: Command = {
  name: 'skeletons',
  usage: 'CONFUSABLES.txt --out FILE',
  help: `Makes the table of letters that resemble Latin letters and digits, from Unicode's confusables.txt (UTS 39). The one that ships is
    definitions/names/skeletons.json.`,
  async run(args, { out }) {
    const { words, option } = read(args, skeletonsCommand, ['out']);
    const [file, ...more] = words;
    const target = option('out');
    if (file === undefined || target === undefined || more.length > 0) {
      throw new Usage(`Name Unicode's file, and the file to write. ${usageHint(skeletonsCommand)}`);
    }
    const text = readText(file);
    const skeletons = skeletonsFrom(text);
    const version = /^# Version: (\S+)/m.exec(text)?.[1] ?? 'unknown';
    const source = {
      name: `Unicode confusables.txt (UTS 39), version ${version}`,
      home: 'https://www.unicode.org/Public/security/',
      licence: 'Unicode-3.0',
    };
    write(target, `${JSON.stringify({ source, skeletons }, null, 2)}\n`);
    out.write(`${Object.values(skeletons).flatMap((alike) => Array.from(alike)).length} characters are in ${target}.\n`);
    return 0;
  },
};
