import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { os } from '../../format.ts';
import type { CommandSeen } from '../match-command.ts';

/** A command as scammers have people paste it, written for these tests in the shape that the source reports. Its host does not exist. */
interface BadCommand {
  seen: CommandSeen;
  /** Identifier of the pattern that finds it. */
  pattern: string;
  /** Published report and its month. */
  source: string;
  /** Host that is reported. */
  address: string | null;
  /** Whether a part of it is in base64, where case and spaces matter. */
  encoded: boolean;
}

interface OrdinaryCommand {
  seen: CommandSeen;
  /** Whether it differs from another command of the list by a version or a number only. */
  from_template: boolean;
}

/** The file name of the program, from the first word of its command line. */
function nameIn(command: string, system: string): string {
  const spaced = /^(?:"[^"]*"|[A-Z]:\\.*?\.exe(?= |$)|\S+)/i.exec(command)?.[0] ?? '';
  const path = spaced.replace(/"/g, '').replace(/%comspec%/i, 'cmd.exe');
  const file = path.replace(/[\^`']/g, '').replace(/^.*[\\/]/, '');
  return system === 'windows' && !/\.\w{3}$/.test(file) ? `${file}.exe` : file;
}

/** Blocks of lines under a heading with the system and the ancestors, nearest first: `## windows < cmd.exe < explorer.exe`. */
function* linesOf(file: string): Generator<{ line: string; system: CommandSeen['os']; parents: string[] }> {
  let system: CommandSeen['os'] = 'windows';
  let parents: string[] = [];
  for (const line of readFileSync(join(import.meta.dirname, file), 'utf8').split('\n')) {
    if (line.startsWith('## ')) {
      const [written, ...ancestors] = line.slice(3).split(' < ');
      system = os.parse(written);
      parents = ancestors;
    } else if (line !== '') yield { line, system, parents };
  }
}

const encode = (text: string) =>
  text
    .replace(/\{utf16:(.*?)\}(?= |$)/g, (_whole, plain: string) => Buffer.from(plain, 'utf16le').toString('base64'))
    .replace(/\{base64:(.*?)\}(?=['" ]|$)/g, (_whole, plain: string) => Buffer.from(plain).toString('base64'));

/**
 * Lines of `pattern :: source :: address or - :: command line`, then the command lines of the other processes of the pipeline.
 * `{utf16:…}` and `{base64:…}` are encoded.
 */
export function readBadCommands(file: string): BadCommand[] {
  return [...linesOf(file)].map(({ line, system, parents }) => {
    const [pattern = '', source = '', address = '', written = '', ...others] = line.split(' :: ');
    const command_line = encode(written);
    const pipeline = others.map((other) => ({ name: nameIn(other, system), command_line: other }));
    return {
      seen: { os: system, name: nameIn(command_line, system), command_line, parents, pipeline },
      pattern,
      source,
      address: address === '-' ? null : address,
      encoded: /\{(?:utf16|base64):|FromBase64String/.test(written),
    };
  });
}

/**
 * Lines are command lines. `<<a|b>>` is a row for each different thing, and `{{1|2}}` one for each version or number. What follows ` :: ` is
 * in the same pipeline.
 */
export function readOrdinaryCommands(file: string): OrdinaryCommand[] {
  return [...linesOf(file)].flatMap(({ line, system, parents }) =>
    expand(line, /<<(.*?)>>/)
      .flatMap((row) => expand(row, /\{\{(.*?)\}\}/).map((written, index) => ({ written, from_template: index > 0 })))
      .map(({ written, from_template }) => {
        const [command_line = '', ...others] = encode(written).split(' :: ');
        const pipeline = others.map((other) => ({ name: nameIn(other, system), command_line: other }));
        return { seen: { os: system, name: nameIn(command_line, system), command_line, parents, pipeline }, from_template };
      }),
  );
}

function expand(line: string, choice: RegExp): string[] {
  const [whole, choices] = choice.exec(line) ?? [];
  if (whole === undefined || choices === undefined) return [line];
  return choices.split('|').flatMap((chosen) =>
    expand(
      line.replace(whole, () => chosen),
      choice,
    ),
  );
}
