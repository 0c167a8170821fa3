import koffi from 'koffi';

export type RegistryValue = string | number | string[];

/** What we use of the registry, all below HKEY_LOCAL_MACHINE, by its 64-bit face. Keys are written with backslashes. */
export interface Registry {
  /** Null when it is not there, or of another kind than text, number, texts. */
  read(key: string, name: string): RegistryValue | null;
  /** Makes the key when it is not there. Throws when it may not. */
  write(key: string, name: string, value: RegistryValue): void;
  /** Removes a value, if it is there. */
  removeValue(key: string, name: string): void;
  /** Removes a key with all below it, if it is there. */
  removeKey(key: string): void;
  /** Names of the keys in it; none when it is not there. */
  keys(key: string): string[];
  /** Names of the values in it. */
  values(key: string): string[];
}

const machine = 0x80000002;
const [readAccess, writeAccess] = [0x20119, 0x2011f];
const [text, number, texts] = [1, 4, 7];

/** The real one. Only on Windows. */
export function openRegistry(): Registry {
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
    if (open(machine, key, 0, access, opened) !== 0) return otherwise;
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

  return {
    read: (key, name) =>
      inKey(
        key,
        readAccess,
        (handle) => {
          const [type, size] = [[0], [65_536]];
          const data = Buffer.alloc(65_536);
          if (query(handle, name, null, type, data, size) !== 0) return null;
          if (type[0] === number) return data.readUInt32LE(0);
          const read = data.toString('utf16le', 0, size[0]).split('\0');
          if (type[0] === texts) return read.filter(Boolean);
          return type[0] === text || type[0] === 2 ? (read[0] ?? '') : null;
        },
        null,
      ),
    write(key, name, value) {
      const opened = [0];
      const failed = create(machine, key, 0, null, 0, writeAccess, null, opened, null);
      if (failed) throw new Error(`The registry did not take ${key}: error ${failed}.`);
      const data =
        typeof value === 'number'
          ? Buffer.alloc(4)
          : Buffer.from(typeof value === 'string' ? `${value}\0` : `${value.join('\0')}\0\0`, 'utf16le');
      if (typeof value === 'number') data.writeUInt32LE(value);
      const notSet = set(
        opened[0],
        name,
        0,
        typeof value === 'number' ? number : typeof value === 'string' ? text : texts,
        data,
        data.length,
      );
      close(opened[0]);
      if (notSet) throw new Error(`The registry did not take ${key}\\${name}: error ${notSet}.`);
    },
    removeValue: (key, name) => inKey(key, writeAccess, (handle) => void removeValue(handle, name), undefined),
    removeKey: (key) => void removeTree(machine, key),
    keys: (key) => namesIn(key, eachKey),
    values: (key) => namesIn(key, eachValue),
  };
}
