import koffi from 'koffi';

export type RegistryValue = string | number | string[];

/** What we use of the registry, all below one root, by its 64-bit face. Keys are written with backslashes. */
export interface Registry {
  /** Null when it is not there, or of another kind than text, number, texts. */
  read(key: string, name: string): RegistryValue | null;
  /** Makes the key when it is not there. Throws when it may not. */
  write(key: string, name: string, value: RegistryValue): void;
  /** The same, in a key that is gone when the computer is switched off. The one above it stays, and must be there. */
  writeVolatile(key: string, name: string, value: RegistryValue): void;
  /** Removes a value, if it is there. */
  removeValue(key: string, name: string): void;
  /** Removes a key with all below it, if it is there. */
  removeKey(key: string): void;
  /** Names of the keys in it; none when it is not there. */
  keys(key: string): string[];
  /** Names of the values in it. */
  values(key: string): string[];
}

/** HKEY_LOCAL_MACHINE, and HKEY_USERS: what belongs to each person, by their security identifier. */
const roots = { machine: 0x80000002, users: 0x80000003 } as const;
const volatile = 1;
const [readAccess, writeAccess] = [0x20119, 0x2011f];
const [text, withNames, number, texts] = [1, 2, 4, 7];
/** A text with names of the environment in it, which is to be read as such: `%ProgramFiles%\\x.exe`. */
const hasNames = /%[^%\s]+%/;

/** The real one. Only on Windows. */
export function openRegistry(root: keyof typeof roots = 'machine'): Registry {
  const top = roots[root];
  const data = Buffer.alloc(65_536);
  const lib = koffi.load('advapi32.dll');
  const open = lib.func('int32_t RegOpenKeyExW(uintptr_t root, str16 key, uint32_t options, uint32_t access, _Out_ uintptr_t *opened)');
  const create = lib.func(
    'int32_t RegCreateKeyExW(uintptr_t root, str16 key, uint32_t reserved, void *class_name, uint32_t options, uint32_t access, void *security, _Out_ uintptr_t *opened, void *what)',
  );
  const close = lib.func('int32_t RegCloseKey(uintptr_t key)');
  const query = lib.func(
    'int32_t RegQueryValueExW(uintptr_t key, str16 name, void *reserved, _Out_ uint32_t *type, _Out_ void *data, _Inout_ uint32_t *size)',
  );
  const set = lib.func(
    'int32_t RegSetValueExW(uintptr_t key, str16 name, uint32_t reserved, uint32_t type, const void *data, uint32_t size)',
  );
  const removeValue = lib.func('int32_t RegDeleteValueW(uintptr_t key, str16 name)');
  const removeTree = lib.func('int32_t RegDeleteTreeW(uintptr_t root, str16 key)');
  const eachKey = lib.func(
    'int32_t RegEnumKeyExW(uintptr_t key, uint32_t index, _Out_ void *name, _Inout_ uint32_t *size, void *reserved, void *class_name, void *class_size, void *written)',
  );
  const eachValue = lib.func(
    'int32_t RegEnumValueW(uintptr_t key, uint32_t index, _Out_ void *name, _Inout_ uint32_t *size, void *reserved, void *type, void *data, void *data_size)',
  );

  const inKey = <T>(key: string, access: number, use: (handle: number | bigint) => T, otherwise: T): T => {
    const opened = [0];
    if (open(top, key, 0, access, opened) !== 0) return otherwise;
    try {
      return use(opened[0] ?? 0);
    } finally {
      close(opened[0]);
    }
  };
  const namesIn = (key: string, each: typeof eachKey) =>
    inKey(
      key,
      readAccess,
      (handle) => {
        const names: string[] = [];
        for (const buffer = Buffer.alloc(32_770); ; ) {
          const size = [buffer.length / 2];
          if (each(handle, names.length, buffer, size, null, null, null, null) !== 0) return names;
          names.push(buffer.toString('utf16le', 0, (size[0] ?? 0) * 2));
        }
      },
      [],
    );

  const write = (key: string, name: string, value: RegistryValue, options: number) => {
    const opened = [0];
    const failed = create(top, key, 0, null, options, writeAccess, null, opened, null);
    if (failed) throw new Error(`The registry did not take ${key}: error ${failed}.`);
    const data =
      typeof value === 'number'
        ? Buffer.alloc(4)
        : Buffer.from(typeof value === 'string' ? `${value}\0` : `${value.join('\0')}\0\0`, 'utf16le');
    if (typeof value === 'number') data.writeUInt32LE(value);
    const notSet = set(opened[0], name, 0, kindOf(value), data, data.length);
    close(opened[0]);
    if (notSet) throw new Error(`The registry did not take ${key}\\${name}: error ${notSet}.`);
  };

  return {
    read: (key, name) =>
      inKey(
        key,
        readAccess,
        (handle) => {
          const [type, size] = [[0], [data.length]];
          if (query(handle, name, null, type, data, size) !== 0) return null;
          if (type[0] === number) return data.readUInt32LE(0);
          const read = data.toString('utf16le', 0, size[0]).split('\0');
          if (type[0] === texts) return read.filter(Boolean);
          return type[0] === text || type[0] === withNames ? (read[0] ?? '') : null;
        },
        null,
      ),
    write: (key, name, value) => write(key, name, value, 0),
    writeVolatile: (key, name, value) => write(key, name, value, volatile),
    removeValue: (key, name) => inKey(key, writeAccess, (handle) => void removeValue(handle, name), undefined),
    removeKey: (key) => void removeTree(top, key),
    keys: (key) => namesIn(key, eachKey),
    values: (key) => namesIn(key, eachValue),
  };
}

function kindOf(value: RegistryValue): number {
  if (typeof value === 'number') return number;
  if (typeof value !== 'string') return texts;
  return hasNames.test(value) ? withNames : text;
}
