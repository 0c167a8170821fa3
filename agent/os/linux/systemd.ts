import { libc } from './libc.ts';

/** What looks after an agent: it wants to hear now and then that it goes on, and which process it is. */
export interface Keeper {
  /** Another process goes on in place of this one, which may end then. */
  successor(pid: number): void;
  close(): void;
}

const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 0o2000002;
const MSG_NOSIGNAL = 0x4000;

/**
 * Systemd, by the protocol of sd_notify(3): a word three times in the time that it allows (WatchdogSec). The timer turns in the loop that watches the
 * programs and ends them, so an agent that hangs says nothing, and is started anew. Null where nobody listens, or nothing can be said.
 */
export async function systemd(env: NodeJS.ProcessEnv): Promise<Keeper | null> {
  const say = env.NOTIFY_SOCKET ? await notifier(env.NOTIFY_SOCKET) : null;
  if (!say) return null;
  const allowed = Number(env.WATCHDOG_USEC) / 1000;
  const alive = () => void say('WATCHDOG=1');
  alive();
  const timer = allowed > 0 ? setInterval(alive, allowed / 3).unref() : undefined;
  return {
    successor: (pid) => void say(`MAINPID=${pid}`),
    close: () => clearInterval(timer),
  };
}

/** One datagram each; true when it was taken. Node itself has no such sockets. */
async function notifier(path: string): Promise<((text: string) => boolean) | null> {
  const c = await libc();
  const fd = c?.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0) ?? -1;
  if (!c || fd < 0) return null;
  // unix(7): a name that begins with @ is no file; it begins with a zero byte.
  const name = Buffer.from(path.replace(/^@/, '\0'));
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), name]);
  return (text) => {
    const bytes = Buffer.from(text);
    return c.sendto(fd, bytes, bytes.length, MSG_NOSIGNAL, address, address.length) === bytes.length;
  };
}
