/** struct proc_event: the type at bytes 36 to 39, the data from byte 52. */
export const PROC_EVENT_NONE = 0;
export const PROC_EVENT_EXEC = 2;

/** Instruction codes of classic BPF. */
const load = 0x20;
const ifEqual = 0x15;
const returnValue = 0x06;

/** BPF loads big-endian words, the kernel writes little-endian ones. */
const swapBytes = (word: number) => word << 24;

/**
 * Passes only acknowledgements and exec events: a forked process runs a known program until it calls exec. Columns: code, jump if true,
 * jump if false, value.
 */
const instructions: [number, number, number, number][] = [
  [load, 0, 0, 36],
  [ifEqual, 1, 0, swapBytes(PROC_EVENT_NONE)],
  [ifEqual, 0, 1, swapBytes(PROC_EVENT_EXEC)],
  [returnValue, 0, 0, 0xffff],
  [returnValue, 0, 0, 0],
];

export const eventFilter = Buffer.alloc(instructions.length * 8);
for (const [n, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
  eventFilter.writeUInt16LE(code, n * 8);
  eventFilter.writeUInt8(whenTrue, n * 8 + 2);
  eventFilter.writeUInt8(whenFalse, n * 8 + 3);
  eventFilter.writeUInt32LE(value, n * 8 + 4);
}
