import koffi from 'koffi';
import type { Handle } from '../native/kernel.ts';

/** The group's name depends on the language of Windows. */
const administratorsSid = 'S-1-5-32-544';
const namesLevel = 3;
const MAX_BYTES = 1 << 20;
const nameSize = 512;

const machineRoot = 0x80000002;
const notifyAccess = 0x0010 | 0x0100;
/** Keys, values, and that the watch does not end with the thread that began it. */
const notifyFilter = 0x1 | 0x4 | 0x10000000;
const signalled = 0;

/** Windows only. */
export function loadDoorCalls() {
  const netapi32 = koffi.load('netapi32.dll');
  const advapi32 = koffi.load('advapi32.dll');
  const kernel32 = koffi.load('kernel32.dll');
  const groupMembers = netapi32.func(
    'uint32_t NetLocalGroupGetMembers(str16 server, str16 group, uint32_t level, _Out_ uintptr_t *members, uint32_t max, _Out_ uint32_t *read, _Out_ uint32_t *total, void *resume)',
  );
  const freeMembers = netapi32.func('uint32_t NetApiBufferFree(uintptr_t buffer)');
  const sidFromText = advapi32.func('int ConvertStringSidToSidW(str16 text, _Out_ uintptr_t *sid)');
  const accountOf = advapi32.func(
    'int LookupAccountSidW(str16 system, uintptr_t sid, _Out_ void *name, _Inout_ uint32_t *size, _Out_ void *domain, _Inout_ uint32_t *domain_size, _Out_ uint32_t *use)',
  );
  const free = kernel32.func('uintptr_t LocalFree(uintptr_t memory)');
  const replace = kernel32.func('int ReplaceFileW(str16 path, str16 by, str16 backup, uint32_t flags, void *exclude, void *reserved)');
  const lastError = kernel32.func('uint32_t GetLastError()');
  const createEvent = kernel32.func('uintptr_t CreateEventW(void *security, int manual, int initial, str16 name)');
  const wait = kernel32.func('uint32_t WaitForSingleObject(uintptr_t handle, uint32_t ms)');
  const closeHandle = kernel32.func('int CloseHandle(uintptr_t handle)');
  const openKey = advapi32.func(
    'int32_t RegOpenKeyExW(uintptr_t root, str16 key, uint32_t options, uint32_t access, _Out_ uintptr_t *opened)',
  );
  const closeKey = advapi32.func('int32_t RegCloseKey(uintptr_t key)');
  const notify = advapi32.func('int32_t RegNotifyChangeKeyValue(uintptr_t key, int below, uint32_t filter, uintptr_t event, int async)');

  /** Null when Windows does not know the group. */
  const groupName = (): string | null => {
    const sid: Handle[] = [0];
    if (!sidFromText(administratorsSid, sid)) return null;
    const [name, domain] = [Buffer.alloc(nameSize), Buffer.alloc(nameSize)];
    const [size, domainSize] = [[nameSize / 2], [nameSize / 2]];
    const isFound = accountOf(null, sid[0], name, size, domain, domainSize, [0]);
    free(sid[0]);
    return isFound ? name.toString('utf16le', 0, (size[0] ?? 0) * 2) : null;
  };

  return {
    /** Members of the group of administrators, such as `COMPUTER\Ann`. Null on failure. */
    async administrators(): Promise<string[] | null> {
      const name = groupName();
      if (name === null) return null;
      const [members, read]: [Handle[], number[]] = [[0], [0]];
      // In another thread, since Windows may ask another computer for the name of a member.
      const status = await new Promise((resolve) => {
        groupMembers.async(null, name, namesLevel, members, MAX_BYTES, read, [0], null, (err: unknown, code: number) =>
          resolve(err ?? code),
        );
      });
      if (status !== 0 || !members[0]) return null;
      try {
        if (!read[0]) return [];
        const pointers = koffi.decode(BigInt(members[0]), koffi.array('uintptr_t', read[0])) as Iterable<Handle>;
        return Array.from(pointers, (pointer) => koffi.decode(BigInt(pointer), 'char16_t', -1) as unknown as string);
      } finally {
        freeMembers(members[0]);
      }
    },
    /** Puts `temporary` in the place of `path`, with the rights, owner and attributes of `path`. */
    async replaceFile(temporary: string, path: string): Promise<void> {
      if (!replace(path, temporary, null, 0, null, null)) throw new Error(`Windows did not replace ${path}: error ${lastError()}.`);
    },
    /** Watches keys below HKEY_LOCAL_MACHINE, and all keys below these. Keys that are missing are not watched. */
    watchKeys(keys: string[]) {
      const watched = keys.flatMap((key) => {
        const opened: Handle[] = [0];
        if (openKey(machineRoot, key, 0, notifyAccess, opened) !== 0) return [];
        return [{ key: opened[0] ?? 0, event: createEvent(null, 0, 0, null) as Handle }];
      });
      const begin = ({ key, event }: (typeof watched)[number]) => notify(key, 1, notifyFilter, event, 1);
      for (const one of watched) begin(one);
      return {
        /** Whether any has changed since the last call. */
        changed(): boolean {
          // A watch ends with each change, so it begins again before anything is read.
          const changed = watched.filter(({ event }) => wait(event, 0) === signalled);
          for (const one of changed) begin(one);
          return changed.length > 0;
        },
        close(): void {
          for (const { key, event } of watched) {
            closeKey(key);
            closeHandle(event);
          }
        },
      };
    },
  };
}
export type DoorCalls = ReturnType<typeof loadDoorCalls>;
