import { readFile, rm } from 'node:fs/promises';

/**
 * The PIN for an uninstaller: from the file named by `--pin-file`, which is deleted, or the first line of stdin. Never from the command
 * line, which every program can read.
 */
export async function readPinInput(args: string[], input: AsyncIterable<Buffer>): Promise<string> {
  const optionIndex = args.indexOf('--pin-file');
  const file = optionIndex < 0 ? undefined : args[optionIndex + 1];
  if (file === undefined) return firstLine(input);
  try {
    // A missing file counts as an empty PIN, so that a computer without a PIN can be uninstalled.
    return lineOf(await readFile(file, 'latin1').catch(() => ''));
  } finally {
    await rm(file, { force: true });
  }
}

async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += chunk.toString('utf8');
    if (text.includes('\n')) break;
  }
  return lineOf(text);
}

const lineOf = (text: string) => text.split(/\r?\n/)[0] ?? '';
