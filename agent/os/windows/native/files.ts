import koffi from 'koffi';
import { type Handle, padding } from './kernel.ts';

export function loadFiles() {
  const kernel32 = koffi.load('kernel32.dll');
  const ntdll = koffi.load('ntdll.dll');
  const createFile = ntdll.func(
    `int32_t NtCreateFile(_Out_ uintptr_t *handle, uint32_t access, const void *object, _Out_ void *status, void *size, uint32_t attributes, uint32_t share, uint32_t disposition, uint32_t options, void *ea, uint32_t ea_length, ${padding.map(() => 'uint64_t').join(', ')})`,
  );
  const setFileInformation = ntdll.func(
    `int32_t NtSetInformationFile(uintptr_t file, _Out_ void *status, const void *information, uint32_t size, int what, ${padding.map(() => 'uint64_t').join(', ')})`,
  );
  return {
    openFolder: kernel32.func(
      'uintptr_t CreateFileW(str16 path, uint32_t access, uint32_t share, void *security, uint32_t disposition, uint32_t flags, uintptr_t template)',
    ),
    /** Writes the file to `handle`; returns a status, 0 for success. */
    create: (
      handle: Handle[],
      access: number,
      object: Buffer,
      status: Buffer,
      attributes: number,
      share: number,
      disposition: number,
      options: number,
    ): number => createFile(handle, access, object, status, null, attributes, share, disposition, options, null, 0, ...padding),
    information: kernel32.func('int GetFileInformationByHandle(uintptr_t file, _Out_ void *information)'),
    setInformation: kernel32.func('int SetFileInformationByHandle(uintptr_t file, int what, const void *information, uint32_t size)'),
    /** Sets FileRenameInformation; returns a status, 0 for success. */
    rename: (file: Handle, status: Buffer, information: Buffer, size: number): number =>
      setFileInformation(file, status, information, size, 10, ...padding),
    read: kernel32.func('int ReadFile(uintptr_t file, _Out_ void *buffer, uint32_t size, _Out_ uint32_t *done, void *overlapped)'),
    write: kernel32.func('int WriteFile(uintptr_t file, const void *buffer, uint32_t size, _Out_ uint32_t *done, void *overlapped)'),
    flush: kernel32.func('int FlushFileBuffers(uintptr_t file)'),
    close: kernel32.func('int CloseHandle(uintptr_t handle)'),
    addressOf: (buffer: Buffer): bigint => BigInt(koffi.address(buffer)),
  };
}
export type FileCalls = ReturnType<typeof loadFiles>;
