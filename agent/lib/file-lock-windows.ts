import { closeSync, openSync } from 'node:fs';
import koffi from 'koffi';

/** Of CreateFileW: to read and to write, for others too, who may not take its name away; made where there is none. */
const [readAndWrite, sharedSo, openAlways, invalid] = [0xc0000000, 3, 4, 0xffffffffffffffffn];
/** Of LockFileEx: for one alone, and not waited for. */
const exclusiveAtOnce = 3;

/**
 * Has Windows lock this file until `release`, or until this process has ended in whatever way; what it starts does not have it. Who only reads the
 * file, as a virus scanner does, is not in the way. The file stays, and means nothing by itself. Null when another one has it. Throws when it
 * cannot be opened. Only to be loaded on Windows.
 */
export function lockFile(path: string): { release(): void } | null {
  const kernel32 = koffi.load('kernel32.dll');
  const open = kernel32.func(
    'uintptr_t CreateFileW(str16 path, uint32_t access, uint32_t share, void *security, uint32_t disposition, uint32_t flags, uintptr_t template)',
  );
  const lock = kernel32.func(
    'int LockFileEx(uintptr_t file, uint32_t flags, uint32_t reserved, uint32_t low, uint32_t high, _Inout_ void *overlapped)',
  );
  const close = kernel32.func('int CloseHandle(uintptr_t handle)');
  const handle: number | bigint = open(path, readAndWrite, sharedSo, null, openAlways, 0, 0);
  if (BigInt(handle) === invalid) {
    // Node says why.
    closeSync(openSync(path, 'a'));
    throw new Error(`${path} cannot be locked.`);
  }
  if (lock(handle, exclusiveAtOnce, 0, 1, 0, Buffer.alloc(32))) return { release: () => void close(handle) };
  close(handle);
  return null;
}
