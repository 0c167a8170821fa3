import koffi from 'koffi';
import type { Handle } from './kernel.ts';

/** Constants of GetSecurityInfo and similar functions. */
const [fileObject, serviceObject, kernelObject, ownerInformation, daclInformation, protectedDacl] = [1, 2, 6, 1, 4, 0x80000000];
const [tokenQuery, tokenAdjust, tokenUser] = [0x8, 0x20, 1];
const enabledPrivilege = 2;

/** Owners and access rights, as SDDL strings. Windows only. */
export function loadSecurity() {
  const advapi32 = koffi.load('advapi32.dll');
  const kernel32 = koffi.load('kernel32.dll');
  const fromText = advapi32.func(
    'int ConvertStringSecurityDescriptorToSecurityDescriptorW(str16 text, uint32_t revision, _Out_ uintptr_t *descriptor, void *size)',
  );
  const sidText = advapi32.func('int ConvertSidToStringSidW(uintptr_t sid, _Out_ uintptr_t *text)');
  const daclOf = advapi32.func(
    'int GetSecurityDescriptorDacl(uintptr_t descriptor, _Out_ int *present, _Out_ uintptr_t *dacl, _Out_ int *defaulted)',
  );
  const ownerIn = advapi32.func('int GetSecurityDescriptorOwner(uintptr_t descriptor, _Out_ uintptr_t *owner, _Out_ int *defaulted)');
  const privilegeNamed = advapi32.func('int LookupPrivilegeValueW(str16 system, str16 name, _Out_ void *luid)');
  const adjustToken = advapi32.func(
    'int AdjustTokenPrivileges(uintptr_t token, int disable_all, const void *privileges, uint32_t size, void *before, void *needed)',
  );
  const namedInfo = advapi32.func(
    'uint32_t GetNamedSecurityInfoW(str16 name, int type, uint32_t what, _Out_ uintptr_t *owner, void *group, void *dacl, void *sacl, _Out_ uintptr_t *descriptor)',
  );
  const setNamed = advapi32.func(
    'uint32_t SetNamedSecurityInfoW(str16 name, int type, uint32_t what, uintptr_t owner, void *group, uintptr_t dacl, void *sacl)',
  );
  const setInfo = advapi32.func(
    'uint32_t SetSecurityInfo(uintptr_t handle, int type, uint32_t what, void *owner, void *group, uintptr_t dacl, void *sacl)',
  );
  const openToken = advapi32.func('int OpenProcessToken(uintptr_t process, uint32_t access, _Out_ uintptr_t *token)');
  const tokenInfo = advapi32.func(
    'int GetTokenInformation(uintptr_t token, int what, _Out_ void *information, uint32_t size, _Out_ uint32_t *needed)',
  );
  const openProcess = kernel32.func('uintptr_t OpenProcess(uint32_t access, int inherit, uint32_t pid)');
  const thisProcess = kernel32.func('uintptr_t GetCurrentProcess()');
  const close = kernel32.func('int CloseHandle(uintptr_t handle)');
  const free = kernel32.func('uintptr_t LocalFree(uintptr_t memory)');
  const attributes = kernel32.func('uint32_t GetFileAttributesW(str16 path)');
  const createFolder = kernel32.func('int CreateDirectoryW(str16 path, const void *security)');
  const move = kernel32.func('int MoveFileExW(str16 from, str16 to, uint32_t how)');

  const withDescriptor = <T>(text: string, use: (descriptor: Handle) => T): T => {
    const descriptors: Handle[] = [0];
    if (!fromText(text, 1, descriptors, null)) throw new Error('Windows does not understand these rights.');
    try {
      return use(descriptors[0] ?? 0);
    } finally {
      free(descriptors[0]);
    }
  };
  const withDacl = <T>(text: string, use: (dacl: Handle) => T): T =>
    withDescriptor(text, (descriptor) => {
      const [presentFlag, dacl, defaultedFlag]: [number[], Handle[], number[]] = [[0], [0], [0]];
      if (!daclOf(descriptor, presentFlag, dacl, defaultedFlag) || !presentFlag[0]) throw new Error('These rights name nobody.');
      return use(dacl[0] ?? 0);
    });
  const textOf = (sid: Handle): string | null => {
    const textPointer: Handle[] = [0];
    if (!sidText(sid, textPointer)) return null;
    try {
      return koffi.decode(BigInt(textPointer[0] ?? 0), 'char16_t', -1) as unknown as string;
    } finally {
      free(textPointer[0]);
    }
  };
  const userOf = (process: Handle): string | null => {
    const token: Handle[] = [0];
    if (!openToken(process, tokenQuery, token)) return null;
    const buffer = Buffer.alloc(256);
    const isFound = tokenInfo(token[0], tokenUser, buffer, buffer.length, [0]);
    close(token[0]);
    // A pointer to the identifier, later in the same buffer.
    return isFound ? textOf(buffer.readBigUInt64LE(0)) : null;
  };

  const ownerOfDescriptor = (descriptor: Handle): Handle => {
    const owner: Handle[] = [0];
    if (!ownerIn(descriptor, owner, [0]) || !owner[0]) throw new Error('These rights name no owner.');
    return owner[0];
  };
  /** An administrator has these privileges, but a program has to ask for them. */
  const enablePrivilege = (name: string): void => {
    const [luid, token]: [Buffer, Handle[]] = [Buffer.alloc(8), [0]];
    if (!privilegeNamed(null, name, luid) || !openToken(thisProcess(), tokenQuery | tokenAdjust, token)) return;
    const privileges = Buffer.alloc(16);
    privileges.writeUInt32LE(1, 0);
    luid.copy(privileges, 4);
    privileges.writeUInt32LE(enabledPrivilege, 12);
    adjustToken(token[0], 0, privileges, 0, null, null);
    close(token[0]);
  };

  return {
    /** Sets the owner and the rights of a service. False when Windows refuses. */
    setServiceRights(name: string, text: string): boolean {
      // To give it to an owner who is somebody else.
      enablePrivilege('SeRestorePrivilege');
      const what = ownerInformation | daclInformation;
      return withDescriptor(text, (descriptor) =>
        withDacl(text, (dacl) => setNamed(name, serviceObject, what, ownerOfDescriptor(descriptor), null, dacl, null) === 0),
      );
    },
    /** Makes administrators the owner of a service, who may always change its rights. False when Windows refuses. */
    takeService(name: string): boolean {
      enablePrivilege('SeTakeOwnershipPrivilege');
      return withDescriptor(
        'O:BA',
        (descriptor) => setNamed(name, serviceObject, ownerInformation, ownerOfDescriptor(descriptor), null, 0, null) === 0,
      );
    },
    /** Null when the file does not exist. */
    attributes(path: string): number | null {
      const attributeBits = attributes(path) as number;
      return attributeBits === 0xffffffff ? null : attributeBits;
    },
    ownerOf(path: string): string | null {
      const [owner, descriptor]: [Handle[], Handle[]] = [[0], [0]];
      if (namedInfo(path, fileObject, ownerInformation, owner, null, null, null, descriptor) !== 0) return null;
      try {
        return textOf(owner[0] ?? 0);
      } finally {
        free(descriptor[0]);
      }
    },
    me: (): string | null => userOf(thisProcess()),
    userOf(pid: number): string | null {
      const process = openProcess(0x1000, 0, pid);
      if (!process) return null;
      try {
        return userOf(process);
      } finally {
        close(process);
      }
    },
    /** Creates a folder together with its owner and rights. False when the path exists. */
    createFolder: (path: string, text: string): boolean =>
      withDescriptor(text, (descriptor) => {
        const security = Buffer.alloc(24);
        security.writeUInt32LE(24, 0);
        security.writeBigUInt64LE(BigInt(descriptor), 8);
        return createFolder(path, security) !== 0;
      }),
    /** Sets these rights and removes inherited ones. */
    setRights: (path: string, text: string): boolean =>
      withDacl(text, (dacl) => setNamed(path, fileObject, daclInformation + protectedDacl, 0, null, dacl, null) === 0),
    setRightsOf: (handle: Handle, text: string): boolean =>
      withDacl(text, (dacl) => setInfo(handle, kernelObject, daclInformation + protectedDacl, null, null, dacl, null) === 0),
    rename: (from: string, to: string): boolean => move(from, to, 0) !== 0,
  };
}
export type SecurityCalls = ReturnType<typeof loadSecurity>;
