import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { MacNative } from '../os/macos/native.ts';

export interface FakeMac extends MacNative {
  ran: string[];
}

/** The native functions of macOS over real processes of this computer; system programs answer with `answers`, by command line and input. */
export function fakeMac(answers: (line: string, input: string) => { code?: number; out?: string } = () => ({})): FakeMac {
  const ran: string[] = [];
  return {
    ran,
    pids: () => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])),
    process(pid) {
      try {
        const rest = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return {
          ...{ pid, ppid: Number(rest[1]), started: rest[19] ?? '', zombie: rest[0] === 'Z' },
          ...{ uid: statSync(`/proc/${pid}`).uid, group: Number(rest[2]), terminal: rest[4] !== '0' },
        };
      } catch {
        return null;
      }
    },
    path(pid) {
      try {
        return readlinkSync(`/proc/${pid}/exe`);
      } catch {
        return null;
      }
    },
    signal(pid, name) {
      try {
        return process.kill(pid, name);
      } catch (err) {
        return (err as NodeJS.ErrnoException).code === 'ESRCH';
      }
    },
    async run(program, args, input = '') {
      const line = [program, ...args].join(' ');
      ran.push(line);
      return { code: 0, out: '', ...answers(line, input) };
    },
  };
}
