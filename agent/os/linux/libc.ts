/** Functions return a negative number for an error, as in C. */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  setFilter(fd: number, filter: Uint8Array): number;
  sendto(fd: number, data: Uint8Array, length: number, flags: number, address: Uint8Array | null, addressLength: number): number;
  recvfrom(fd: number, data: Uint8Array, length: number, flags: number, address: Uint8Array, addressLength: Uint8Array): number;
  eventfd(initialValue: number, flags: number): number;
  write(fd: number, data: Uint8Array, length: number): number;
  close(fd: number): number;
  /** Waits in a separate thread, without a timeout. The callback gets the result of poll(2). */
  untilReadable(fds: number[], onReady: (answer: number) => void): void;
  /** malloc_trim(3). Null where the library is not glibc. */
  trim: ((reservedBytes: number) => number) | null;
  madvise(address: bigint, length: bigint, advice: number): number;
  errno(): number;
}

let libcPromise: Promise<Libc | null> | null = null;

/** Loaded on first use, since koffi needs some 10 MB of memory. Null without koffi. */
export function getLibc(): Promise<Libc | null> {
  libcPromise ??= loadLibc().catch(() => null);
  return libcPromise;
}

async function loadLibc(): Promise<Libc> {
  const { default: koffi } = await import('koffi');
  const c = koffi.load(null);
  const setsockopt = c.func('int setsockopt(int fd, int level, int name, const void *value, unsigned int length)');
  const sockFprog = koffi.struct({ len: 'uint16_t', filter: 'const void *' });
  const setFilter = c.func('setsockopt', 'int', ['int', 'int', 'int', koffi.pointer(sockFprog), 'unsigned int']);
  const poll = c.func('int poll(void *fds, unsigned long count, int timeout)');
  /** Buffers another thread writes to, which koffi does not protect from garbage collection. */
  const buffersInUse = new Set<Buffer>();
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
      const pollFds = Buffer.alloc(fds.length * 8);
      for (const [n, fd] of fds.entries()) {
        pollFds.writeInt32LE(fd, n * 8);
        pollFds.writeInt16LE(POLLIN, n * 8 + 4);
      }
      buffersInUse.add(pollFds);
      poll.async(pollFds, fds.length, -1, (err: unknown, answer: number) => {
        buffersInUse.delete(pollFds);
        done(err ? -1 : answer);
      });
    },
    trim: nullIfMissing(() => c.func('int malloc_trim(size_t keep)')),
    madvise: c.func('int madvise(uintptr_t from, size_t length, int advice)'),
    errno: () => koffi.errno(),
  };
}

function nullIfMissing<T>(findFunction: () => T): T | null {
  try {
    return findFunction();
  } catch {
    return null;
  }
}

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const POLLIN = 1;
