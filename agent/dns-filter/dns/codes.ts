/** Numbers of RFC 1035, 6672, 6891 and 9460. */
export const types = { a: 1, cname: 5, soa: 6, aaaa: 28, dname: 39, opt: 41, svcb: 64, https: 65 } as const;
export const rcodes = { ok: 0, format: 1, failed: 2, no_such_name: 3, not_implemented: 4, refused: 5 } as const;

export const headerLength = 12;
/** The largest UDP answer, in bytes, for a query without an OPT record (RFC 1035). */
export const plainUdpMax = 512;
/** Our limit for UDP answers, against fragmentation; the client repeats the query over TCP for a longer answer. */
export const udpMax = 1232;

export const flags = {
  response: 0x80,
  truncated: 0x02,
  recursion_desired: 0x01,
  recursion_available: 0x80,
  opcode: 0x78,
  checking: 0x10,
} as const;
