import { chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Attributes } from './attributes.ts';
import { type LinuxOrigin, linuxOrigin } from './program-origin.ts';

export const isRoot = process.getuid?.() === 0;
/** Root tests with a user's files, other users with their own. */
export const uid = isRoot ? 4242 : (process.getuid?.() ?? 0);
export const internet = { from: 'internet', host: null };

export interface Computer {
  home: string;
  root: string;
  /** Starts the agent's part again, as after a restart. */
  start(options?: { attributes?: Attributes | null; since?: number | null }): Promise<LinuxOrigin>;
  /** Copies a program that runs until it is ended. The path is relative to the home. */
  program(path: string): string;
  text(path: string, content: string): string;
  folder(path: string): string;
  errors: unknown[];
}

export async function computer(root: string): Promise<Computer> {
  const [home, state] = [join(root, 'home/mum'), join(root, 'state')];
  mkdirSync(join(root, 'etc'));
  mkdirSync(state);
  mkdirSync(home, { recursive: true });
  // Root alone is a person with a uid below 1000.
  writeFileSync(join(root, 'etc/passwd'), `mum:x:${Math.max(uid, 1000)}:1000::/home/mum:/bin/sh\n`);
  chmodSync(root, 0o755);
  const own = (path: string) => {
    chownSync(path, uid, isRoot ? uid : (process.getgid?.() ?? 0));
    return path;
  };
  own(home);
  const folder = (path: string) => {
    if (path !== '.') folder(dirname(path));
    mkdirSync(join(home, path), { recursive: true });
    return own(join(home, path));
  };
  folder('Downloads');
  folder('bin');
  const errors: unknown[] = [];
  const began = Date.now() - 1000;
  return {
    ...{ root, home, folder, errors },
    async start({ attributes, since = began } = {}) {
      const origin = await linuxOrigin({
        ...{ root, onlyUid: null, stateFile: join(state, 'origins.json'), since: () => since, now: () => new Date() },
        failed: (why) => void errors.push(why),
        ...(attributes === undefined ? {} : { attributes }),
      });
      onTestFinished(() => origin.close());
      return origin;
    },
    program(path) {
      copyFileSync('/bin/sleep', join(home, path));
      chmodSync(join(home, path), 0o755);
      return own(join(home, path));
    },
    text(path, content) {
      writeFileSync(join(home, path), content, { mode: 0o755 });
      return own(join(home, path));
    },
  };
}
