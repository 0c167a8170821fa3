import { endianness } from 'node:os';

export interface DnsSocket {
  port: number;
  close(): void;
}

/** See `Resolver` in agent/dns-filter/resolver.ts. */
export type HandleQuery = (packet: Uint8Array, maxBytes: number | null, reply: (answer: Uint8Array) => void) => void;

const BATCH_SIZE = 64;
/** Limit of batches per wake-up, so that the event loop is not blocked. */
const MAX_ROUNDS = 8;
const MAX_BYTES = 2048;
const nameLength = 16;
const [AF_INET, SOCK_DGRAM, SOCK_NONBLOCK, SOCK_CLOEXEC, MSG_DONTWAIT, POLLIN, EADDRINUSE] = [2, 2, 0o4000, 0o2000000, 0x40, 1, 98];
/** Byte offsets in `struct mmsghdr` with 64-bit pointers. */
const header = { size: 64, name: 0, name_length: 8, pieces: 16, count: 24, length: 56 } as const;

/**
 * Answers DNS queries at an IPv4 address, many per system call. Null where koffi is missing or the struct layout differs. Throws an error
 * with a `code` when the address cannot be bound.
 */
export async function batchedUdp(handle: HandleQuery, { address, port }: { address: string; port: number }): Promise<DnsSocket | null> {
  const octets = address.split('.').map(Number);
  if (octets.length !== 4 || endianness() !== 'LE' || !['x64', 'arm64'].includes(process.arch)) return null;
  const c = await loadLibrary().catch(() => null);
  if (!c) return null;

  const fd = c.socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const boundAddress = Buffer.alloc(nameLength);
  boundAddress.writeUInt16LE(AF_INET, 0);
  boundAddress.writeUInt16BE(port, 2);
  boundAddress.set(octets, 4);
  if (fd < 0 || c.bind(fd, boundAddress, nameLength) < 0) {
    const errorCode = c.errno() === EADDRINUSE ? 'EADDRINUSE' : 'EACCES';
    if (fd >= 0) c.close(fd);
    throw Object.assign(new Error(`${address}:${port} cannot be had: ${errorCode}`), { code: errorCode });
  }
  c.getsockname(fd, boundAddress, Buffer.from(Uint32Array.of(nameLength).buffer));

  const [incoming, outgoing] = [createMessageBuffers(c.addressOf), createMessageBuffers(c.addressOf)];
  let closed = false;
  let queuedCount = 0;
  const flush = () => {
    for (let at = 0; at < queuedCount; ) {
      // Answers that cannot be sent are dropped: the client asks again.
      at += Math.max(1, c.sendmmsg(fd, outgoing.headers.subarray(at * header.size), queuedCount - at, MSG_DONTWAIT));
    }
    queuedCount = 0;
  };
  const queueAnswer = (answer: Uint8Array, clientAddress: Uint8Array) => {
    if (answer.length > MAX_BYTES) return;
    outgoing.data.set(answer, queuedCount * MAX_BYTES);
    outgoing.names.set(clientAddress, queuedCount * nameLength);
    outgoing.setLength(queuedCount, answer.length);
    if (++queuedCount === BATCH_SIZE) flush();
  };
  const answerDatagram = (at: number) => {
    const clientAddress = incoming.names.subarray(at * nameLength, (at + 1) * nameLength);
    const start = at * MAX_BYTES;
    let copiedAddress: Uint8Array | null = null;
    let answered = false;
    handle(incoming.data.subarray(start, start + incoming.lengthOf(at)), null, (answer) => {
      // A late answer must not go to a file that has the number of the closed socket by now.
      if (closed) return;
      answered = true;
      queueAnswer(answer, copiedAddress ?? clientAddress);
      if (copiedAddress) flush();
    });
    // The next batch may overwrite the client's address before the answer.
    if (!answered) copiedAddress = Uint8Array.from(clientAddress);
  };
  const drain = () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const count = c.recvmmsg(fd, incoming.headers, BATCH_SIZE, MSG_DONTWAIT, null);
      for (let at = 0; at < count; at++) answerDatagram(at);
      flush();
      if (count < BATCH_SIZE) return;
    }
  };
  const pollFds = Buffer.alloc(8);
  pollFds.writeInt32LE(fd, 0);
  pollFds.writeInt16LE(POLLIN, 4);
  const waitForQueries = () => {
    c.poll(pollFds, 1, -1, () => {
      if (closed) return void c.close(fd);
      drain();
      waitForQueries();
    });
  };
  waitForQueries();
  return {
    port: boundAddress.readUInt16BE(2),
    close() {
      if (closed) return;
      closed = true;
      // A datagram to its own address wakes the waiting socket.
      queueAnswer(new Uint8Array(0), boundAddress);
      flush();
    },
  };
}

/** Buffers for one batch of datagrams; `headers` points to the others. */
function createMessageBuffers(addressOf: (buffer: Uint8Array) => bigint) {
  const [data, names, pieces, headers] = [MAX_BYTES, nameLength, 16, header.size].map((size) =>
    Buffer.from(new ArrayBuffer(size * BATCH_SIZE)),
  );
  if (!data || !names || !pieces || !headers) throw new Error('unreachable');
  const [dataAddress, namesAddress, piecesAddress] = [data, names, pieces].map(addressOf);
  for (let at = 0; at < BATCH_SIZE; at++) {
    pieces.writeBigUInt64LE((dataAddress ?? 0n) + BigInt(at * MAX_BYTES), at * 16);
    pieces.writeBigUInt64LE(BigInt(MAX_BYTES), at * 16 + 8);
    headers.writeBigUInt64LE((namesAddress ?? 0n) + BigInt(at * nameLength), at * header.size + header.name);
    headers.writeUInt32LE(nameLength, at * header.size + header.name_length);
    headers.writeBigUInt64LE((piecesAddress ?? 0n) + BigInt(at * 16), at * header.size + header.pieces);
    headers.writeUInt32LE(1, at * header.size + header.count);
  }
  return {
    data,
    names,
    headers,
    /** Referenced so that it is not garbage-collected: `headers` points to it. */
    pieces,
    lengthOf: (at: number) => headers.readUInt32LE(at * header.size + header.length),
    setLength: (at: number, length: number) => pieces.writeUInt32LE(length, at * 16 + 8),
  };
}

async function loadLibrary() {
  const { default: koffi } = await import('koffi');
  const c = koffi.load(null);
  const poll = c.func('int poll(void *fds, unsigned long count, int timeout)');
  return {
    addressOf: (buffer: Uint8Array): bigint => koffi.address(buffer),
    errno: (): number => koffi.errno(),
    socket: c.func('int socket(int family, int type, int protocol)') as (domain: number, type: number, protocol: number) => number,
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
    poll: (fds: Uint8Array, count: number, timeout: number, onReady: () => void): void => poll.async(fds, count, timeout, onReady),
  };
}
