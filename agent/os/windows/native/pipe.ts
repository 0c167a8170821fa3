import { Socket } from 'node:net';
import koffi from 'koffi';
import type { SecurityCalls } from './security.ts';

/**
 * The service and administrators do as they like; people of this computer read and write, and make no further end of it (that right, 4, is in the usual
 * right to write): whoever could, would be taken for the service.
 */
const rights = 'D:P(A;;GA;;;SY)(A;;GA;;;BA)(A;;0x12019b;;;AU)';
const peoplesAccess = 0x12019b;
const [readControl, writeRights, existing, overlapped] = [0x20000, 0x40000, 3, 0x40000000];
/** Whoever answers may know who asks, and not act in their name: SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION. */
const identifyOnly = 0x00100000 | 0x00010000;
const none = new Set<number | bigint>([-1, 0xffffffffffffffffn, -1n]);

/** Named pipes as far as Node does not reach. Only on Windows. */
export function loadPipe() {
  const kernel32 = koffi.load('kernel32.dll');
  const open = kernel32.func(
    'uintptr_t CreateFileW(str16 path, uint32_t access, uint32_t share, void *security, uint32_t disposition, uint32_t flags, uintptr_t template)',
  );
  const configuredServer = kernel32.func('int GetNamedPipeServerProcessId(uintptr_t pipe, _Out_ uint32_t *pid)');
  const close = kernel32.func('int CloseHandle(uintptr_t handle)');
  // What Node itself makes a file descriptor with: its C library is in the executable.
  const descriptorOf = koffi.load(process.execPath).func('int uv_open_osfhandle(uintptr_t handle)');
  return {
    /** Lets people in whose pipe this process has just made; until then nobody but the service and administrators gets in. */
    letPeopleIn(path: string, security: Pick<SecurityCalls, 'setRightsOf'>): void {
      const pipe = open(path, readControl | writeRights, 0, null, existing, 0, 0) as number | bigint;
      if (none.has(pipe)) throw new Error('The pipe cannot be opened to people.');
      const set = security.setRightsOf(pipe, rights);
      close(pipe);
      if (!set) throw new Error('The pipe cannot be opened to people.');
    },
    /** Connects if the process at the other end is this one; null when it is another one, or nobody is there. */
    connectTo(path: string, pid: number): Socket | null {
      const pipe = open(path, peoplesAccess, 0, null, existing, overlapped | identifyOnly, 0) as number | bigint;
      if (none.has(pipe)) return null;
      const server = [0];
      if (pid === 0 || !configuredServer(pipe, server) || server[0] !== pid) {
        close(pipe);
        return null;
      }
      return new Socket({ fd: descriptorOf(pipe) as number, readable: true, writable: true });
    },
  };
}
