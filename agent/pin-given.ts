/** The PIN for an uninstaller: behind `--pin`, or the first line that comes in; every program can read what stands on the command line. */
export async function pinGiven(args: string[], input: AsyncIterable<Buffer>): Promise<string> {
  const at = args.indexOf('--pin');
  return (at < 0 ? undefined : args[at + 1]) ?? (await firstLine(input));
}

async function firstLine(input: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of input) {
    text += part.toString('utf8');
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}
