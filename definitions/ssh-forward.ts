/**
 * What an SSH client opens besides its session: `reverse` is a way in from the other computer, `dynamic` is a proxy on this one. Forwards in
 * its configuration or in a saved session of PuTTY are not in the command line, so they are not found.
 */
export type SshForward = 'reverse' | 'dynamic';

const openSsh = new Set(['ssh', 'autossh', 'slogin']);
const puTty = new Set(['putty', 'plink', 'kitty', 'klink', 'kitty_portable']);

/** Options of ssh(1) and autossh(1) with a value, joined to it or in the next argument. */
const valued = new Set('BbcDEeFIiJLlMmOoPpQRSWw');

const programName = (name: string) => name.toLowerCase().replace(/\.exe$/, '');

export const isSshClient = (name: string): boolean => openSsh.has(programName(name)) || puTty.has(programName(name));

/** Null for other programs. `args`: without the name of the program. The more dangerous of several. */
export function sshForward(name: string, args: string[]): SshForward | null {
  const program = programName(name);
  const forwards = openSsh.has(program) ? openSshForwards(program, args) : puTty.has(program) ? puTtyForwards(args) : [];
  return forwards.includes('reverse') ? 'reverse' : (forwards[0] ?? null);
}

function openSshForwards(program: string, args: string[]): SshForward[] {
  const found: SshForward[] = [];
  let hasHost = false;
  for (let n = 0; n < args.length; n++) {
    const argument = args[n] ?? '';
    if (!/^-./.test(argument)) {
      // Options are read behind the host too, and what follows then runs on the other computer.
      if (hasHost) break;
      hasHost = true;
      continue;
    }
    for (let at = 1; at < argument.length; at++) {
      const option = argument.charAt(at);
      // Its port for checks is a value; the same option of ssh has none.
      if (option === 'M' && program !== 'autossh') continue;
      if (!valued.has(option)) continue;
      const value = argument.slice(at + 1) || (args[++n] ?? '');
      if (option === 'R' || (option === 'o' && /^\s*remoteforward\b/i.test(value))) found.push('reverse');
      if (option === 'D' || (option === 'o' && /^\s*dynamicforward\b/i.test(value))) found.push('dynamic');
      break;
    }
  }
  return found;
}

/** PuTTY has longer options, and takes a forward only as a word of its own. */
const puTtyForwards = (args: string[]): SshForward[] =>
  args.flatMap((argument) => (argument === '-R' ? ['reverse' as const] : argument === '-D' ? ['dynamic' as const] : []));
