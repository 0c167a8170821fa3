import type { BuildFailure } from '@porchlight/contract/downloads.ts';

/** A failure with a sentence for the operator. */
export class BuildFailed extends Error {
  readonly reason: BuildFailure;

  constructor(reason: BuildFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

export function failureOf(err: unknown): BuildFailed {
  if (err instanceof BuildFailed) return err;
  if (!(err instanceof Error)) return new BuildFailed('other', String(err));
  const { code, cmd = '', path, stderr = '', message }: NodeJS.ErrnoException & { cmd?: string; stderr?: string } = err;
  if (code === 'ENOSPC') return new BuildFailed('disk_full', 'The disk is full. The installers and what they are made of take about 1 GB.');
  if (code === 'ENOENT' && path && !path.includes('/'))
    return new BuildFailed('other', `The program ${path} is not on this computer, and building installers takes it.`);
  if (/^npm(\.cmd)? /.test(cmd)) {
    const lastLine = stderr.trim().split('\n').at(-1) ?? '';
    return new BuildFailed(
      'offline',
      `npm could not fetch a part of the installers. Check that this computer reaches the npm registry. npm says: ${lastLine}`,
    );
  }
  return new BuildFailed('other', message);
}
