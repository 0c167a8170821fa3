import { Socket } from 'node:net';
import koffi from 'koffi';
import type { SecurityCalls } from './security.ts';

/**
 * Full access to the pipe for the service and administrators; users read and write, but may not create pipe instances (right 4, part of the
 * usual write right), with which they could impersonate the service.
 */
const pipeRights = 'D:P(A;;GA;;;SY)(A;;GA;;;BA)(A;;0x12019b;;;AU)';
const userAccess = 0x12019b;
const [readControl, writeRights, openExisting, overlappedFlag] = [0x20000, 0x40000, 3, 0x40000000];
/** The server may identify the client, not impersonate it: SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION. */
const identifyOnly = 0x00100000 | 0x00010000;
const invalidHandles = new Set<number | bigint>([-1, 0xffffffffffffffffn, -1n]);

/** Named pipe functions that Node lacks. */
export function loadPipe() {
  const kernel32 = koffi.load('kernel32.dll');
  const open = kernel32.func(
    'uintptr_t CreateFileW(str16 path, uint32_t access, uint32_t share, void *security, uint32_t disposition, uint32_t flags, uintptr_t template)',
  );
  const configuredServer = kernel32.func('int GetNamedPipeServerProcessId(uintptr_t pipe, _Out_ uint32_t *pid)');
  const close = kernel32.func('int CloseHandle(uintptr_t handle)');
  // A function of libuv, inside the Node executable.
  const descriptorOf = koffi.load(process.execPath).func('int uv_open_osfhandle(uintptr_t handle)');
  return {
    /** Grants users access to a pipe that this process has just created. */
    allowUsers(path: string, security: Pick<SecurityCalls, 'setRightsOf'>): void {
      const pipe = open(path, readControl | writeRights, 0, null, openExisting, 0, 0) as number | bigint;
      if (invalidHandles.has(pipe)) throw new Error('The pipe cannot be opened to people.');
      const isSet = security.setRightsOf(pipe, pipeRights);
      close(pipe);
      if (!isSet) throw new Error('The pipe cannot be opened to people.');
    },
    /** Connects only if process `pid` is the server; null otherwise. */
    connectTo(path: string, pid: number): Socket | null {
      const pipe = open(path, userAccess, 0, null, openExisting, overlappedFlag | identifyOnly, 0) as number | bigint;
      if (invalidHandles.has(pipe)) return null;
      const serverPid = [0];
      if (pid === 0 || !configuredServer(pipe, serverPid) || serverPid[0] !== pid) {
        close(pipe);
        return null;
      }
      return new Socket({ fd: descriptorOf(pipe) as number, readable: true, writable: true });
    },
  };
}
