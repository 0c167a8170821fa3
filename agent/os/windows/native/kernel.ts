import koffi from 'koffi';

/** A handle of Windows, as a number; 0 and -1 are none. */
export type Handle = number | bigint;

/**
 * `Nt…` functions get eight numbers more than they take: wine reads past the end of the stack that koffi gives them, and on Windows
 * what is passed beyond the last parameter is not looked at (the caller cleans up).
 */
const padded = (name: string, parameters: string) =>
  `int32_t ${name}(${parameters}, ${Array.from({ length: 8 }, () => 'uint64_t').join(', ')})`;
export const padding = Array.from({ length: 8 }, () => 0);

/** The functions of kernel32 and ntdll that we call. Only to be loaded on Windows. */
export function loadKernel() {
  const kernel32 = koffi.load('kernel32.dll');
  const ntdll = koffi.load('ntdll.dll');
  return {
    openProcess: kernel32.func('uintptr_t OpenProcess(uint32_t access, int inherit, uint32_t pid)'),
    closeHandle: kernel32.func('int CloseHandle(uintptr_t handle)'),
    terminateProcess: kernel32.func('int TerminateProcess(uintptr_t process, uint32_t code)'),
    imageName: kernel32.func(
      'int QueryFullProcessImageNameW(uintptr_t process, uint32_t flags, _Out_ uint8_t *name, _Inout_ uint32_t *size)',
    ),
    querySystem: ntdll.func(padded('NtQuerySystemInformation', 'int what, _Out_ void *buffer, uint32_t size, _Out_ uint32_t *needed')),
    suspendProcess: ntdll.func(padded('NtSuspendProcess', 'uintptr_t process')),
    resumeProcess: ntdll.func(padded('NtResumeProcess', 'uintptr_t process')),
    adjustPrivilege: ntdll.func(padded('RtlAdjustPrivilege', 'uint32_t privilege, uint8_t on, uint8_t thread, _Out_ uint8_t *was')),
    addressOf: (buffer: Buffer): bigint => BigInt(koffi.address(buffer)),
  };
}
export type Kernel = ReturnType<typeof loadKernel>;
