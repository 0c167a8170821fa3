import koffi from 'koffi';

/** A Windows handle; 0 and -1 are invalid. */
export type Handle = number | bigint;

/**
 * `Nt…` functions get eight extra numbers: wine reads past the end of koffi's stack, and Windows ignores extra arguments (the caller cleans
 * up).
 */
const paddedSignature = (name: string, parameters: string) =>
  `int32_t ${name}(${parameters}, ${Array.from({ length: 8 }, () => 'uint64_t').join(', ')})`;
export const padding = Array.from({ length: 8 }, () => 0);

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
    readMemory: kernel32.func(
      'int ReadProcessMemory(uintptr_t process, uintptr_t address, _Out_ void *buffer, size_t size, _Out_ size_t *read)',
    ),
    querySystem: ntdll.func(
      paddedSignature('NtQuerySystemInformation', 'int what, _Out_ void *buffer, uint32_t size, _Out_ uint32_t *needed'),
    ),
    queryProcess: ntdll.func(
      paddedSignature(
        'NtQueryInformationProcess',
        'uintptr_t process, int what, _Out_ void *buffer, uint32_t size, _Out_ uint32_t *needed',
      ),
    ),
    suspendProcess: ntdll.func(paddedSignature('NtSuspendProcess', 'uintptr_t process')),
    resumeProcess: ntdll.func(paddedSignature('NtResumeProcess', 'uintptr_t process')),
    adjustPrivilege: ntdll.func(
      paddedSignature('RtlAdjustPrivilege', 'uint32_t privilege, uint8_t on, uint8_t thread, _Out_ uint8_t *was'),
    ),
    addressOf: (buffer: Buffer): bigint => BigInt(koffi.address(buffer)),
  };
}
export type Kernel = ReturnType<typeof loadKernel>;
