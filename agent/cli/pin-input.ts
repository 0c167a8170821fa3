import { readFile, rm } from 'node:fs/promises';

/**
 * The PIN for an uninstaller: in the file behind `--pin-file`, which is gone then, or the first line that comes in. Never on the command line:
 * every program can read that.
 */
export async function readPinInput(args: string[], input: AsyncIterable<Buffer>): Promise<string> {
  const at = args.indexOf('--pin-file');
  const file = at < 0 ? undefined : args[at + 1];
  if (file === undefined) return firstLine(input);
  try {
    // None is like an empty one: whoever needs none is not kept from going.
    return lineOf(await readFile(file, 'latin1').catch(() => ''));
  } finally {
    await rm(file, { force: true });
  }
}

async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of input) {
    text += part.toString('utf8');
    if (text.includes('\n')) break;
  }
  return lineOf(text);
}

const lineOf = (text: string) => text.split(/\r?\n/)[0] ?? '';
