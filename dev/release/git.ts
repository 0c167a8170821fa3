import { execFileSync } from 'node:child_process';
import { Refused } from './refused.ts';

const maxBytes = 1 << 28;

/** Runs git in a folder and gives back what it prints. Throws what git says. */
export function git(folder: string, args: string[], input = ''): string {
  return String(gitBytes(folder, args, input)).trimEnd();
}

export function gitBytes(folder: string, args: string[], input = ''): Buffer {
  try {
    return execFileSync('git', args, { cwd: folder, input, maxBuffer: maxBytes, stdio: 'pipe' });
  } catch (err) {
    const { stderr, message } = err as Error & { stderr?: Buffer };
    throw new Refused(`git ${args[0]} did not work. It says: ${String(stderr ?? '').trim() || message}`);
  }
}

/** Null where git has no such thing. */
export function gitOrNull(folder: string, args: string[]): string | null {
  try {
    return git(folder, args);
  } catch {
    return null;
  }
}
