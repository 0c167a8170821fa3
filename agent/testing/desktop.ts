import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './agent.ts';
import { run } from './programs.ts';

export const someone = { user: 'nobody', uid: 65_534, gid: 65_534 };

/** Creates programs with these lines of sh. Each start is recorded in `calls` as `name uid arguments`. */
export async function recordingPrograms(lines: Record<string, string>) {
  const folder = await temporaryFolder();
  chmodSync(folder, 0o755);
  const [bin, notes] = [join(folder, 'bin'), join(folder, 'notes')];
  mkdirSync(bin, { mode: 0o755 });
  writeFileSync(notes, '');
  chmodSync(notes, 0o666);
  for (const [name, script] of Object.entries(lines)) {
    const file = join(bin, name);
    writeFileSync(file, `#!/bin/sh\necho "${name} $(/usr/bin/id -u) $*" >> ${notes}\n${script}\n`);
    chmodSync(file, 0o755);
  }
  const calls = () => readFileSync(notes, 'utf8').split('\n').filter(Boolean);
  const tool = (name: string) => (existsSync(join(bin, name)) ? join(bin, name) : null);
  return { bin, calls, of: (name: string) => calls().filter((call) => call.startsWith(`${name} `)), tool };
}

export const session = (change: Record<string, string> = {}) =>
  Object.entries({
    Id: '2',
    User: String(someone.uid),
    Name: someone.user,
    Remote: 'no',
    Type: 'wayland',
    Class: 'user',
    Active: 'yes',
    ...change,
  })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

export const loginctl = (...sessions: string[]) => `case "$1" in
list-sessions) ${sessions.map((_one, n) => `echo "     ${n + 1} 1000 ann seat0 tty2";`).join(' ')} exit 0 ;;
show-session) cat <<'END'
${sessions.join('\n\n')}
END
;;
esac`;

export const onDesktop = (env: Record<string, string>, uid = someone.uid) =>
  run('/usr/bin/env', ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), '/bin/sleep', '60'], uid);
