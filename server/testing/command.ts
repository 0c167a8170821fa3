import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** Runs the operator's command as a process of its own, with these settings and no others; answers when it has ended. */
export function porchlight(words: string[], env: Record<string, string>): Promise<{ code: number; out: string; err: string }> {
  const own = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR };
  return new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', entry, ...words];
    execFile(process.execPath, args, { env: { ...own, ...env } }, (reason, out, err) => {
      resolve({ code: reason ? Number(reason.code ?? 1) : 0, out, err });
    });
  });
}
