import { endianness } from 'node:os';

/** A socket that answers queries. */
export interface Answering {
  port: number;
  close(): void;
}

/** As the site filter answers: see `Resolver` in network/resolver.ts. */
export type Handle = (packet: Uint8Array, max: number | null, reply: (answer: Uint8Array) => void) => void;

/** Datagrams that are taken and given in one call. */
const batch = 64;
/** Batches before everyone else has a turn. */
const rounds = 8;
const MAX_BYTES = 2048;
const nameLength = 16;
const [AF_INET, SOCK_DGRAM, SOCK_NONBLOCK, SOCK_CLOEXEC, MSG_DONTWAIT, POLLIN, EADDRINUSE] = [2, 2, 0o4000, 0o2000000, 0x40, 1, 98];
/** Where things stand in `struct mmsghdr` with 64-bit pointers: address, its length, pieces, how many, and after all of it the length. */
const header = { size: 64, name: 0, name_length: 8, pieces: 16, count: 24, length: 56 } as const;

/**
 * Answers queries at an IPv4 address, as many in one call of the kernel as there are: recvmmsg(2), sendmmsg(2). Memory for them is set
 * aside once. Null where the C library cannot be called, or is laid out otherwise; throws an error with a code when the place is taken.
 */
export async function batchedUdp(handle: Handle, { address, port }: { address: string; port: number }): Promise<Answering | null> {
  const deps = address.split('.').map(Number);
  if (deps.length !== 4 || endianness() !== 'LE' || !['x64', 'arm64'].includes(process.arch)) return null;
  const c = await library().catch(() => null);
  if (!c) return null;

  const fd = c.socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const place = Buffer.alloc(nameLength);
  place.writeUInt16LE(AF_INET, 0);
  place.writeUInt16BE(port, 2);
  place.set(deps, 4);
  if (fd < 0 || c.bind(fd, place, nameLength) < 0) {
    const code = c.errno() === EADDRINUSE ? 'EADDRINUSE' : 'EACCES';
    if (fd >= 0) c.close(fd);
    throw Object.assign(new Error(`${address}:${port} cannot be had: ${code}`), { code });
  }
  c.getsockname(fd, place, Buffer.from(Uint32Array.of(nameLength).buffer));

  const [incoming, outgoing] = [messages(c.addressOf), messages(c.addressOf)];
  let waiting = 0;
  const flush = () => {
    for (let at = 0; at < waiting; ) {
      // One that cannot be sent is left out: whoever asked asks again.
      at += Math.max(1, c.sendmmsg(fd, outgoing.headers.subarray(at * header.size), waiting - at, MSG_DONTWAIT));
    }
    waiting = 0;
  };
  const put = (answer: Uint8Array, to: Uint8Array) => {
    if (answer.length > MAX_BYTES) return;
    outgoing.data.set(answer, waiting * MAX_BYTES);
    outgoing.names.set(to, waiting * nameLength);
    outgoing.setLength(waiting, answer.length);
    if (++waiting === batch) flush();
  };
  const take = (at: number) => {
    const from = incoming.names.subarray(at * nameLength, (at + 1) * nameLength);
    const start = at * MAX_BYTES;
    let later: Uint8Array | null = null;
    let answered = false;
    handle(incoming.data.subarray(start, start + incoming.lengthOf(at)), null, (answer) => {
      answered = true;
      put(answer, later ?? from);
      if (later) flush();
    });
    // The next batch takes the place of this one.
    if (!answered) later = Uint8Array.from(from);
  };
  const drain = () => {
    for (let round = 0; round < rounds; round++) {
      const count = c.recvmmsg(fd, incoming.headers, batch, MSG_DONTWAIT, null);
      for (let at = 0; at < count; at++) take(at);
      flush();
      if (count < batch) return;
    }
  };
  let closed = false;
  const asked = Buffer.alloc(8);
  asked.writeInt32LE(fd, 0);
  asked.writeInt16LE(POLLIN, 4);
  const wait = () => {
    c.poll(asked, 1, -1, () => {
      if (closed) return void c.close(fd);
      drain();
      wait();
    });
  };
  wait();
  return {
    port: place.readUInt16BE(2),
    close() {
      if (closed) return;
      closed = true;
      // Who waits wakes up by something to read.
      put(new Uint8Array(0), place);
      flush();
    },
  };
}

/** So many messages with their addresses, each in a place of its own that stays where it is. */
function messages(addressOf: (of: Uint8Array) => bigint) {
  const [data, names, pieces, headers] = [MAX_BYTES, nameLength, 16, header.size].map((size) => Buffer.from(new ArrayBuffer(size * batch)));
  if (!data || !names || !pieces || !headers) throw new Error('unreachable');
  const [dataAt, namesAt, piecesAt] = [data, names, pieces].map(addressOf);
  for (let at = 0; at < batch; at++) {
    pieces.writeBigUInt64LE((dataAt ?? 0n) + BigInt(at * MAX_BYTES), at * 16);
    pieces.writeBigUInt64LE(BigInt(MAX_BYTES), at * 16 + 8);
    headers.writeBigUInt64LE((namesAt ?? 0n) + BigInt(at * nameLength), at * header.size + header.name);
    headers.writeUInt32LE(nameLength, at * header.size + header.name_length);
    headers.writeBigUInt64LE((piecesAt ?? 0n) + BigInt(at * 16), at * header.size + header.pieces);
    headers.writeUInt32LE(1, at * header.size + header.count);
  }
  return {
    data,
    names,
    headers,
    /** Kept as long as the addresses in `headers` are used. */
    pieces,
    lengthOf: (at: number) => headers.readUInt32LE(at * header.size + header.length),
    setLength: (at: number, length: number) => pieces.writeUInt32LE(length, at * 16 + 8),
  };
}

async function library() {
  const { default: koffi } = await import('koffi');
  const c = koffi.load(null);
  const poll = c.func('int poll(void *fds, unsigned long count, int timeout)');
  return {
    addressOf: (of: Uint8Array): bigint => koffi.address(of),
    errno: (): number => koffi.errno(),
    socket: c.func('int socket(int family, int type, int protocol)') as (family: number, type: number, protocol: number) => number,
    bind: c.func('int bind(int fd, const void *address, unsigned int length)') as (
      fd: number,
      address: Uint8Array,
      length: number,
    ) => number,
    getsockname: c.func('int getsockname(int fd, void *address, void *length)') as (
      fd: number,
      address: Uint8Array,
      length: Uint8Array,
    ) => number,
    close: c.func('int close(int fd)') as (fd: number) => number,
    recvmmsg: c.func('int recvmmsg(int fd, void *messages, unsigned int count, int flags, void *timeout)') as (
      ...args: [number, Uint8Array, number, number, null]
    ) => number,
    sendmmsg: c.func('int sendmmsg(int fd, void *messages, unsigned int count, int flags)') as (
      ...args: [number, Uint8Array, number, number]
    ) => number,
    /** On a thread of its own. */
    poll: (fds: Uint8Array, count: number, timeout: number, done: () => void): void => poll.async(fds, count, timeout, done),
  };
}
