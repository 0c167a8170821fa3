/** Functions return a negative number for an error, as in C. */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  setFilter(fd: number, filter: Uint8Array): number;
  sendto(fd: number, data: Uint8Array, length: number, flags: number, address: Uint8Array | null, addressLength: number): number;
  recvfrom(fd: number, data: Uint8Array, length: number, flags: number, address: Uint8Array, addressLength: Uint8Array): number;
  close(fd: number): number;
  watchReadable(fd: number, onReadable: () => void): ReadableWatch;
  errno(): number;
}

/** Must stay referenced: when it is garbage-collected, it ends. */
interface ReadableWatch {
  /** Call after an error of the descriptor was read, because the error ended the watch. */
  restart(): void;
  /** Call before the descriptor is closed. */
  close(): void;
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
  return {
    socket: c.func('int socket(int family, int type, int protocol)'),
    bind: c.func('int bind(int fd, const void *address, unsigned int length)'),
    setsockopt,
    setFilter: (fd, filter) => setFilter(fd, SOL_SOCKET, SO_ATTACH_FILTER, { len: filter.length / 8, filter }, koffi.sizeof(sockFprog)),
    sendto: c.func('long sendto(int fd, const void *data, size_t length, int flags, const void *address, unsigned int addressLength)'),
    recvfrom: c.func('long recvfrom(int fd, void *data, size_t length, int flags, void *address, void *addressLength)'),
    close: c.func('int close(int fd)'),
    watchReadable(fd, onReadable) {
      // koffi calls outside of Node's callback scope, where no promise is continued and no error is caught.
      const callback = () => void setImmediate(onReadable);
      const handle = koffi.node.poll(fd, { readable: true }, callback);
      return { restart: () => handle.start({ readable: true }, callback), close: () => handle.close() };
    },
    errno: () => koffi.errno(),
  };
}

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
