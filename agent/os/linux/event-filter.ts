/** What a message of the connector tells, in its bytes 36 to 39: struct proc_event. What happened begins at byte 52. */
export const PROC_EVENT_NONE = 0;
export const PROC_EVENT_EXEC = 2;

/** Instructions of the classic BPF. */
const load = 0x20;
const ifEqual = 0x15;
const giveBack = 0x06;

/** The filter reads a word from the left, the kernel writes it from the right. */
const swapped = (word: number) => word << 24;

/**
 * Lets the kernel wake us only for answers to us and for exec: a fork alone runs on as the program that is known already, and most are an exec
 * a moment later. Each row: code, steps over when true, when false, value.
 */
const rows: [number, number, number, number][] = [
  [load, 0, 0, 36],
  [ifEqual, 1, 0, swapped(PROC_EVENT_NONE)],
  [ifEqual, 0, 1, swapped(PROC_EVENT_EXEC)],
  [giveBack, 0, 0, 0xffff],
  [giveBack, 0, 0, 0],
];

/** An array of struct sock_filter. */
export const eventFilter = Buffer.alloc(rows.length * 8);
for (const [n, [code, whenTrue, whenFalse, value]] of rows.entries()) {
  eventFilter.writeUInt16LE(code, n * 8);
  eventFilter.writeUInt8(whenTrue, n * 8 + 2);
  eventFilter.writeUInt8(whenFalse, n * 8 + 3);
  eventFilter.writeUInt32LE(value, n * 8 + 4);
}
