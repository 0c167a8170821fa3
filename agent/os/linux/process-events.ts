import { eventFilter, PROC_EVENT_EXEC, PROC_EVENT_NONE } from './event-filter.ts';
import { type Libc, libc } from './libc.ts';

export interface ProcessEvents {
  /** Nothing more is told after this. */
  close(): void;
}

/**
 * Starts to tell of each process that becomes another program (exec), as the kernel tells it: cn_proc, the process
 * events connector over netlink. Needs CAP_NET_ADMIN, and is not told in a container that has process numbers of its own: null then, after
 * at most `TIMEOUT_MS` ms. `lost`: more happened than could be kept for us, so that all that runs must be looked at. `room`: in bytes, how much is kept.
 */
export async function processEvents(
  emit: (pids: number[]) => void,
  lost: () => void,
  room: number = roomForEvents,
): Promise<ProcessEvents | null> {
  const c = await libc();
  const fd = c?.socket(AF_NETLINK, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_CONNECTOR) ?? -1;
  if (!c || fd < 0) return null;
  const wake = c.eventfd(0, SOCK_NONBLOCK | SOCK_CLOEXEC);
  const end = () => void c.write(wake, one, 8);
  let [closed, accepted] = [false, false];
  let answered: (works: boolean) => void = () => {};
  const works = new Promise<boolean>((resolve) => {
    answered = resolve;
  });

  const read = () => {
    if (!closed) {
      const found = drain(c, fd);
      if (found.acknowledged) answered(true);
      accepted ||= found.acknowledged;
      if (accepted && found.pids.length) emit(found.pids);
      if (accepted && found.lost) lost();
    }
    // What is told may close us.
    if (closed) {
      c.close(fd);
      c.close(wake);
    } else c.untilReadable([fd, wake], read);
  };
  const close = () => {
    if (closed) return;
    closed = true;
    process.off('exit', end);
    c.sendto(fd, request(PROC_CN_MCAST_IGNORE), 40, 0, null, 0);
    end();
  };

  const opened = prepare(c, fd, room) && c.sendto(fd, request(PROC_CN_MCAST_LISTEN), 40, 0, null, 0) === 40;
  if (!opened) {
    c.close(fd);
    c.close(wake);
    return null;
  }
  // The thread that waits must not hold up the end of this process.
  process.once('exit', end);
  c.untilReadable([fd, wake], read);
  const timer = setTimeout(() => answered(false), TIMEOUT_MS);
  const good = await works;
  clearTimeout(timer);
  if (good) return { close };
  close();
  return null;
}

/** How long the kernel may take to say that it will tell us; meanwhile programs are looked for. Milliseconds. */
const TIMEOUT_MS = 3000;

/** Joins the group, with room for a burst, and lets the kernel leave out what we do not look at. */
function prepare(c: Libc, fd: number, bytes: number): boolean {
  const room = Buffer.alloc(4);
  room.writeInt32LE(bytes);
  if (c.setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, room, 4) < 0) c.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, room, 4);
  if (c.setFilter(fd, eventFilter) < 0) return false;
  const address = Buffer.alloc(12);
  address.writeUInt16LE(AF_NETLINK, 0);
  address.writeUInt32LE(CN_IDX_PROC, 8);
  return c.bind(fd, address, 12) === 0;
}

interface Drained {
  pids: number[];
  acknowledged: boolean;
  lost: boolean;
}

const message = Buffer.alloc(1024);
const sender = Buffer.alloc(12);
const senderLength = Buffer.alloc(4);

/** All that is waiting, each pid once. */
function drain(c: Libc, fd: number): Drained {
  const pids = new Set<number>();
  const found = { acknowledged: false, lost: false };
  for (;;) {
    senderLength.writeUInt32LE(12);
    const length = c.recvfrom(fd, message, message.length, 0, sender, senderLength);
    if (length < 0) {
      const error = c.errno();
      if (error === ENOBUFS) found.lost = true;
      else if (error !== EINTR) return { pids: [...pids], ...found };
      continue;
    }
    // Other programs can write to a netlink socket too: the kernel is number 0.
    if (length < 60 || sender.readUInt32LE(4) !== 0) continue;
    const what = message.readUInt32LE(36);
    if (what === PROC_EVENT_NONE) found.acknowledged ||= message.readUInt32LE(52) === 0;
    else if (what === PROC_EVENT_EXEC) pids.add(message.readUInt32LE(56));
  }
}

/** struct nlmsghdr, struct cn_msg, and the word that it carries. */
function request(word: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.writeUInt32LE(40, 0);
  bytes.writeUInt16LE(NLMSG_DONE, 4);
  bytes.writeUInt32LE(CN_IDX_PROC, 16);
  bytes.writeUInt32LE(CN_VAL_PROC, 20);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt32LE(word, 36);
  return bytes;
}

const AF_NETLINK = 16;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const NETLINK_CONNECTOR = 11;
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_RCVBUFFORCE = 33;
const NLMSG_DONE = 3;
const CN_IDX_PROC = 1;
const CN_VAL_PROC = 1;
const PROC_CN_MCAST_LISTEN = 1;
const PROC_CN_MCAST_IGNORE = 2;
const EINTR = 4;
const ENOBUFS = 105;
/** In bytes; the kernel counts about 800 for each event. */
const roomForEvents = 4 << 20;
const one = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
