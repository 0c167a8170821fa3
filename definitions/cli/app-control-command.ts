import { appControlPolicy } from '../app-control.ts';
import { compileSet } from '../match.ts';
import { type Command, usageHint } from './command.ts';
import { readCommandLine, Usage } from './command-line.ts';
import { catalogueOf, definitionsOf } from './files.ts';

const MAX_VERSION = 2 ** 32 - 1;

export const appControlCommand: Command = {
  name: 'app-control',
  usage: '[--audit] [--version N] [--set SET]',
  help: `Prints an App Control policy for Windows, as XML, that denies the remote-access tools and other harmful programs of the catalogue by what
    their files say, also under another file name. Everything else may start. With --audit Windows only writes an event (3076) for each, which
    is how to begin. N, a whole number, must grow when a computer already has an earlier one: 1 without it. --set SET reads a built or signed
    set, or another folder of the catalogue. On Windows: ConvertFrom-CIPolicy makes it binary, CiTool --update-policy applies it.`,
  async run(args, { out, now }) {
    const types = { audit: { type: 'boolean' }, version: { type: 'string' }, set: { type: 'string' } } as const;
    const { values } = readCommandLine(args, types, { command: 'app-control', hint: `. ${usageHint(appControlCommand)}` });
    const version = Number(values.version ?? 1);
    if (!Number.isSafeInteger(version) || version < 1 || version > MAX_VERSION)
      throw new Usage(`Say which version, a whole number from 1 to ${MAX_VERSION}. ${usageHint(appControlCommand)}`);
    const definitions = values.set === undefined ? catalogueOf(undefined) : definitionsOf(values.set);
    const set = compileSet({ version: 1, issued: now().toISOString(), definitions });
    out.write(appControlPolicy(set, definitions, { mode: values.audit ? 'audit' : 'enforced', version }));
    return 0;
  },
};
