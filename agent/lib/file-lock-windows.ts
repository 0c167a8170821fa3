import { closeSync, openSync } from 'node:fs';
import koffi from 'koffi';

/**
 * Arguments of CreateFileW: GENERIC_READ and GENERIC_WRITE; shared for reading and writing but not for deletion; OPEN_ALWAYS;
 * INVALID_HANDLE_VALUE.
 */
const [readAndWrite, shareReadWrite, openAlways, invalid] = [0xc0000000, 3, 4, 0xffffffffffffffffn];
/** Flags of LockFileEx: LOCKFILE_EXCLUSIVE_LOCK and LOCKFILE_FAIL_IMMEDIATELY. */
const exclusiveNoWait = 3;

/**
 * Locks the file until `release` or the end of this process; child processes do not inherit the lock, and readers such as virus scanners do
 * not block it. Null when it is locked already. Throws when the file cannot be opened. Load only on Windows.
 */
export function lockFile(path: string): { release(): void } | null {
  const kernel32 = koffi.load('kernel32.dll');
  const createFile = kernel32.func(
    'uintptr_t CreateFileW(str16 path, uint32_t access, uint32_t share, void *security, uint32_t disposition, uint32_t flags, uintptr_t template)',
  );
  const lock = kernel32.func(
    'int LockFileEx(uintptr_t file, uint32_t flags, uint32_t reserved, uint32_t low, uint32_t high, _Inout_ void *overlapped)',
  );
  const close = kernel32.func('int CloseHandle(uintptr_t handle)');
  const handle: number | bigint = createFile(path, readAndWrite, shareReadWrite, null, openAlways, 0, 0);
  if (BigInt(handle) === invalid) {
    closeSync(openSync(path, 'a'));
    throw new Error(`${path} cannot be locked.`);
  }
  if (lock(handle, exclusiveNoWait, 0, 1, 0, Buffer.alloc(32))) return { release: () => void close(handle) };
  close(handle);
  return null;
}
