import { getLibc } from './libc.ts';

/** The service manager that monitors this process. */
export interface ServiceManager {
  /** Reports the pid of the process that replaces this process. */
  successor(pid: number): void;
  close(): void;
}

const AF_UNIX = 1;
const SOCK_DGRAM_CLOEXEC = 0o2000002;
const MSG_NOSIGNAL = 0x4000;

/**
 * sd_notify(3): sends three watchdog messages per WatchdogSec from the event loop that watches programs, so systemd restarts an agent that
 * hangs. Null without a socket.
 */
export async function systemd(env: NodeJS.ProcessEnv): Promise<ServiceManager | null> {
  const send = env.NOTIFY_SOCKET ? await openNotifier(env.NOTIFY_SOCKET) : null;
  if (!send) return null;
  const limitMs = Number(env.WATCHDOG_USEC) / 1000;
  const sendAlive = () => void send('WATCHDOG=1');
  sendAlive();
  const timer = limitMs > 0 ? setInterval(sendAlive, limitMs / 3).unref() : undefined;
  return {
    successor: (pid) => void send(`MAINPID=${pid}`),
    close: () => clearInterval(timer),
  };
}

/** Sends through a Unix datagram socket, which Node lacks. True when sent. */
async function openNotifier(path: string): Promise<((text: string) => boolean) | null> {
  const c = await getLibc();
  const fd = c?.socket(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0) ?? -1;
  if (!c || fd < 0) return null;
  // unix(7): @ means an abstract address, which begins with a zero byte.
  const socketName = Buffer.from(path.replace(/^@/, '\0'));
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), socketName]);
  return (text) => {
    const bytes = Buffer.from(text);
    return c.sendto(fd, bytes, bytes.length, MSG_NOSIGNAL, address, address.length) === bytes.length;
  };
}
