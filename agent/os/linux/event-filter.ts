/** What a message of the connector tells, in its bytes 36 to 39: struct proc_event. What happened begins at byte 52. */
export const PROC_EVENT_NONE = 0;
export const PROC_EVENT_FORK = 1;
export const PROC_EVENT_EXEC = 2;

/** Instructions of the classic BPF. */
const load = 0x20;
const copyToX = 0x07;
const ifEqual = 0x15;
const ifEqualX = 0x1d;
const giveBack = 0x06;

/** The filter reads a word from the left, the kernel writes it from the right. */
const swapped = (word: number) => word << 24;

/**
 * Lets the kernel wake us only for answers to us, for exec, and for fork where it makes a process: a new thread is a fork too, and its two
 * numbers (pid, tgid) differ. Each row: code, steps over when true, when false, value.
 */
const rows: [number, number, number, number][] = [
  [load, 0, 0, 36],
  [ifEqual, 6, 0, swapped(PROC_EVENT_NONE)],
  [ifEqual, 5, 0, swapped(PROC_EVENT_EXEC)],
  [ifEqual, 0, 5, swapped(PROC_EVENT_FORK)],
  [load, 0, 0, 60],
  [copyToX, 0, 0, 0],
  [load, 0, 0, 64],
  [ifEqualX, 0, 1, 0],
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
