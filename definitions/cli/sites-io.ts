/** Where a command of site lists writes: lines of its answer, and lines about what went wrong. */
export interface SitesIo {
  out(line: string): void;
  err(line: string): void;
}

/** The streams of a command, as such lines. */
export function sitesIo({ out, err }: { out: NodeJS.WritableStream; err: NodeJS.WritableStream }): SitesIo {
  const line = (to: NodeJS.WritableStream) => (text: string) => void to.write(`${text}\n`);
  return { out: line(out), err: line(err) };
}

/** Runs a command and gives its code: what it gives itself, 2 with how it is typed for wrong arguments, 1 for what fails on the way. */
export async function guarded(io: SitesIo, usage: string, run: () => Promise<number | 'wrong use'>): Promise<number> {
  const wrongUse = () => {
    io.err(usage);
    return 2;
  };
  try {
    const code = await run();
    return code === 'wrong use' ? wrongUse() : code;
  } catch (reason) {
    io.err(reason instanceof Error ? reason.message : String(reason));
    const wrongArguments = reason instanceof Error && 'code' in reason && String(reason.code).startsWith('ERR_PARSE_ARGS');
    return wrongArguments ? wrongUse() : 1;
  }
}
