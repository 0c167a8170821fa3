import { eventFilter, PROC_EVENT_EXEC, PROC_EVENT_NONE } from './event-filter.ts';
import { getLibc, type Libc } from './libc.ts';

export interface ProcessEvents {
  /** After `close` no callback is called. */
  close(): void;
}

/**
 * Reports each exec through cn_proc, the kernel's process events connector over netlink. Null without CAP_NET_ADMIN or in a separate pid
 * namespace, after at most `TIMEOUT_MS`. `onOverflow`: events were lost, so all processes must be scanned.
 */
export async function processEvents(
  emit: (pids: number[]) => void,
  onOverflow: () => void,
  bufferBytes: number = DEFAULT_BUFFER_BYTES,
): Promise<ProcessEvents | null> {
  const c = await getLibc();
  const fd = c?.socket(AF_NETLINK, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_CONNECTOR) ?? -1;
  if (!c || fd < 0) return null;
  let [closed, accepted] = [false, false];
  let resolveAcknowledgement: (works: boolean) => void = () => {};
  const acknowledgement = new Promise<boolean>((resolve) => {
    resolveAcknowledgement = resolve;
  });

  const isListening = prepareSocket(c, fd, bufferBytes) && c.sendto(fd, buildRequest(PROC_CN_MCAST_LISTEN), 40, 0, null, 0) === 40;
  if (!isListening) {
    c.close(fd);
    return null;
  }
  const readEvents = () => {
    if (closed) return;
    const drained = drainSocket(c, fd);
    if (drained.lost) readable.restart();
    if (drained.acknowledged) resolveAcknowledgement(true);
    accepted ||= drained.acknowledged;
    if (accepted && drained.pids.length) emit(drained.pids);
    // `emit` may have called `close`.
    if (accepted && drained.lost && !closed) onOverflow();
  };
  const readable = c.watchReadable(fd, readEvents);
  const close = () => {
    if (closed) return;
    closed = true;
    readable.close();
    c.sendto(fd, buildRequest(PROC_CN_MCAST_IGNORE), 40, 0, null, 0);
    c.close(fd);
  };
  const timer = setTimeout(() => resolveAcknowledgement(false), TIMEOUT_MS);
  const isAcknowledged = await acknowledgement;
  clearTimeout(timer);
  if (isAcknowledged) return { close };
  close();
  return null;
}

/** Time limit for the kernel's acknowledgement. */
const TIMEOUT_MS = 3000;

function prepareSocket(c: Libc, fd: number, bufferBytes: number): boolean {
  const option = Buffer.alloc(4);
  option.writeInt32LE(bufferBytes);
  if (c.setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, option, 4) < 0) c.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, option, 4);
  if (c.setFilter(fd, eventFilter) < 0) return false;
  const address = Buffer.alloc(12);
  address.writeUInt16LE(AF_NETLINK, 0);
  address.writeUInt32LE(CN_IDX_PROC, 8);
  return c.bind(fd, address, 12) === 0;
}

interface DrainedEvents {
  pids: number[];
  acknowledged: boolean;
  lost: boolean;
}

const message = Buffer.alloc(1024);
const sender = Buffer.alloc(12);
const senderLength = Buffer.alloc(4);

function drainSocket(c: Libc, fd: number): DrainedEvents {
  const pids = new Set<number>();
  const flags = { acknowledged: false, lost: false };
  for (;;) {
    senderLength.writeUInt32LE(12);
    const length = c.recvfrom(fd, message, message.length, 0, sender, senderLength);
    if (length < 0) {
      const error = c.errno();
      if (error === EINTR) continue;
      flags.lost ||= error !== EAGAIN;
      if (error === ENOBUFS) continue;
      return { pids: [...pids], ...flags };
    }
    // Other programs can also send to this socket; the kernel has port ID 0.
    if (length < 60 || sender.readUInt32LE(4) !== 0) continue;
    const eventType = message.readUInt32LE(36);
    if (eventType === PROC_EVENT_NONE) flags.acknowledged ||= message.readUInt32LE(52) === 0;
    else if (eventType === PROC_EVENT_EXEC) pids.add(message.readUInt32LE(56));
  }
}

/** A message of struct nlmsghdr, struct cn_msg and one word. */
function buildRequest(word: number): Buffer {
  const messageBytes = Buffer.alloc(40);
  messageBytes.writeUInt32LE(40, 0);
  messageBytes.writeUInt16LE(NLMSG_DONE, 4);
  messageBytes.writeUInt32LE(CN_IDX_PROC, 16);
  messageBytes.writeUInt32LE(CN_VAL_PROC, 20);
  messageBytes.writeUInt16LE(4, 32);
  messageBytes.writeUInt32LE(word, 36);
  return messageBytes;
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
const EAGAIN = 11;
const ENOBUFS = 105;
/** The kernel counts about 800 bytes for each event. */
const DEFAULT_BUFFER_BYTES = 4 << 20;
