/** What is called of the C library. Each answers as the C function does, a negative number for an error. */
export interface Libc {
  socket(family: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  /** `pointer`: the address of a buffer; it must outlive the call. */
  setFilter(fd: number, filter: Uint8Array): number;
  sendto(fd: number, data: Uint8Array, length: number, flags: number, address: Uint8Array | null, addressLength: number): number;
  recvfrom(fd: number, data: Uint8Array, length: number, flags: number, address: Uint8Array, addressLength: Uint8Array): number;
  eventfd(initial: number, flags: number): number;
  write(fd: number, data: Uint8Array, length: number): number;
  close(fd: number): number;
  /** Waits on a thread of its own until one of these can be read, for ever. Answers what poll(2) answers. */
  untilReadable(fds: number[], done: (answer: number) => void): void;
  /** Gives freed memory back to the system, but for so many bytes. Of glibc alone: null where there is another one. */
  trim: ((keep: number) => number) | null;
  madvise(from: bigint, length: bigint, advice: number): number;
  /** The error number of the last call. */
  errno(): number;
}

let loading: Promise<Libc | null> | null = null;

/** The C library by way of koffi, loaded when it is first needed: it costs some 10 MB. Null where there is no koffi for this computer. */
export function libc(): Promise<Libc | null> {
  loading ??= load().catch(() => null);
  return loading;
}

async function load(): Promise<Libc> {
  const { default: koffi } = await import('koffi');
  const c = koffi.load(null);
  const setsockopt = c.func('int setsockopt(int fd, int level, int name, const void *value, unsigned int length)');
  const sockFprog = koffi.struct({ len: 'uint16_t', filter: 'const void *' });
  const setFilter = c.func('setsockopt', 'int', ['int', 'int', 'int', koffi.pointer(sockFprog), 'unsigned int']);
  const poll = c.func('int poll(void *fds, unsigned long count, int timeout)');
  /** What a call on another thread writes to: koffi does not keep it from being collected meanwhile, and the agent would crash. */
  const inUse = new Set<Buffer>();
  return {
    socket: c.func('int socket(int family, int type, int protocol)'),
    bind: c.func('int bind(int fd, const void *address, unsigned int length)'),
    setsockopt,
    setFilter: (fd, filter) => setFilter(fd, SOL_SOCKET, SO_ATTACH_FILTER, { len: filter.length / 8, filter }, koffi.sizeof(sockFprog)),
    sendto: c.func('long sendto(int fd, const void *data, size_t length, int flags, const void *address, unsigned int addressLength)'),
    recvfrom: c.func('long recvfrom(int fd, void *data, size_t length, int flags, void *address, void *addressLength)'),
    eventfd: c.func('int eventfd(unsigned int initial, int flags)'),
    write: c.func('long write(int fd, const void *data, size_t length)'),
    close: c.func('int close(int fd)'),
    untilReadable(fds, done) {
      const asked = Buffer.alloc(fds.length * 8);
      for (const [n, fd] of fds.entries()) {
        asked.writeInt32LE(fd, n * 8);
        asked.writeInt16LE(POLLIN, n * 8 + 4);
      }
      inUse.add(asked);
      poll.async(asked, fds.length, -1, (err: unknown, answer: number) => {
        inUse.delete(asked);
        done(err ? -1 : answer);
      });
    },
    trim: optional(() => c.func('int malloc_trim(size_t keep)')),
    madvise: c.func('int madvise(uintptr_t from, size_t length, int advice)'),
    errno: () => koffi.errno(),
  };
}

function optional<T>(find: () => T): T | null {
  try {
    return find();
  } catch {
    return null;
  }
}

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const POLLIN = 1;
