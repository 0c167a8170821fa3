// The DNS server to which the compared servers forward; started as a program by servers.ts, with the port as its argument.
import { batchedUdp } from '@porchlight/agent/os/linux/batched-udp.ts';

/**
 * Below it all names are answered with a TTL of 0, so that no server may cache the answer. Everything else has a TTL of one hour.
 */
const neverCachedZone = Buffer.from('\x0cnever-cached\x07example\0', 'latin1');

/** Type A, class IN, TTL, and 192.0.2.1, after a pointer to the name in the question. */
const record = (seconds: number) => [0xc0, 12, 0, 1, 0, 1, 0, 0, seconds >> 8, seconds & 255, 0, 4, 192, 0, 2, 1];
const [uncachedRecord, cachedRecord] = [record(0), record(3600)];
/** An empty OPT record, for those that sent one. */
const opt = [0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 0];

const answer = Buffer.alloc(512);

const listener = await batchedUdp(
  (query, _maxBytes, reply) => {
    let end = 12;
    while (end < query.length && query[end] !== 0) end += (query[end] ?? 0) + 1;
    end += 5;
    // A query that is no query of a name gets no answer.
    if (end > query.length || end > 300) return;
    answer.set(query.subarray(0, end));
    answer.set([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, query[11] ? 1 : 0], 2);
    const isUncached = neverCachedZone.equals(query.subarray(end - 4 - neverCachedZone.length, end - 4));
    answer.set(isUncached ? uncachedRecord : cachedRecord, end);
    end += cachedRecord.length;
    if (query[11]) answer.set(opt, end);
    reply(answer.subarray(0, end + (query[11] ? opt.length : 0)));
  },
  { address: '127.0.0.1', port: Number(process.argv[2]) },
);
if (!listener) throw new Error('The upstream of the benchmark needs Linux and koffi.');
process.once('disconnect', () => process.exit());
