import koffi from 'koffi';

export type RegistryValue = string | number | string[];

/** The 64-bit view of the registry below one root. Keys contain backslashes. */
export interface Registry {
  /** Null when the value is missing or of another type. */
  read(key: string, name: string): RegistryValue | null;
  /** Creates the key if needed. Throws on failure. */
  write(key: string, name: string, value: RegistryValue): void;
  /** Writes to a key that a reboot deletes. The parent key must exist. */
  writeVolatile(key: string, name: string, value: RegistryValue): void;
  removeValue(key: string, name: string): void;
  removeKey(key: string): void;
  keys(key: string): string[];
  values(key: string): string[];
}

const roots = { machine: 0x80000002, users: 0x80000003 } as const;
const volatileOption = 1;
const [readAccess, writeAccess] = [0x20119, 0x2011f];
const [stringType, expandStringType, numberType, multiStringType] = [1, 2, 4, 7];
/** A string that contains environment variables, such as `%ProgramFiles%\\x.exe`. */
const variablePattern = /%[^%\s]+%/;

export function openRegistry(root: keyof typeof roots = 'machine'): Registry {
  const rootHandle = roots[root];
  const dataBuffer = Buffer.alloc(65_536);
  const lib = koffi.load('advapi32.dll');
  const open = lib.func('int32_t RegOpenKeyExW(uintptr_t root, str16 key, uint32_t options, uint32_t access, _Out_ uintptr_t *opened)');
  const create = lib.func(
    'int32_t RegCreateKeyExW(uintptr_t root, str16 key, uint32_t reserved, void *class_name, uint32_t options, uint32_t access, void *security, _Out_ uintptr_t *opened, void *what)',
  );
  const close = lib.func('int32_t RegCloseKey(uintptr_t key)');
  const queryValue = lib.func(
    'int32_t RegQueryValueExW(uintptr_t key, str16 name, void *reserved, _Out_ uint32_t *type, _Out_ void *data, _Inout_ uint32_t *size)',
  );
  const setValue = lib.func(
    'int32_t RegSetValueExW(uintptr_t key, str16 name, uint32_t reserved, uint32_t type, const void *data, uint32_t size)',
  );
  const removeValue = lib.func('int32_t RegDeleteValueW(uintptr_t key, str16 name)');
  const removeTree = lib.func('int32_t RegDeleteTreeW(uintptr_t root, str16 key)');
  const enumerateKeys = lib.func(
    'int32_t RegEnumKeyExW(uintptr_t key, uint32_t index, _Out_ void *name, _Inout_ uint32_t *size, void *reserved, void *class_name, void *class_size, void *written)',
  );
  const enumerateValues = lib.func(
    'int32_t RegEnumValueW(uintptr_t key, uint32_t index, _Out_ void *name, _Inout_ uint32_t *size, void *reserved, void *type, void *data, void *data_size)',
  );

  const inKey = <T>(key: string, access: number, use: (handle: number | bigint) => T, fallback: T): T => {
    const openedKey = [0];
    if (open(rootHandle, key, 0, access, openedKey) !== 0) return fallback;
    try {
      return use(openedKey[0] ?? 0);
    } finally {
      close(openedKey[0]);
    }
  };
  const namesIn = (key: string, enumerate: typeof enumerateKeys) =>
    inKey(
      key,
      readAccess,
      (handle) => {
        const names: string[] = [];
        for (const buffer = Buffer.alloc(32_770); ; ) {
          const size = [buffer.length / 2];
          if (enumerate(handle, names.length, buffer, size, null, null, null, null) !== 0) return names;
          names.push(buffer.toString('utf16le', 0, (size[0] ?? 0) * 2));
        }
      },
      [],
    );

  const write = (key: string, name: string, value: RegistryValue, options: number) => {
    const openedKey = [0];
    const createError = create(rootHandle, key, 0, null, options, writeAccess, null, openedKey, null);
    if (createError) throw new Error(`The registry did not take ${key}: error ${createError}.`);
    const valueData =
      typeof value === 'number'
        ? Buffer.alloc(4)
        : Buffer.from(typeof value === 'string' ? `${value}\0` : `${value.join('\0')}\0\0`, 'utf16le');
    if (typeof value === 'number') valueData.writeUInt32LE(value);
    const setError = setValue(openedKey[0], name, 0, typeOf(value), valueData, valueData.length);
    close(openedKey[0]);
    if (setError) throw new Error(`The registry did not take ${key}\\${name}: error ${setError}.`);
  };

  return {
    read: (key, name) =>
      inKey(
        key,
        readAccess,
        (handle) => {
          const [type, size] = [[0], [dataBuffer.length]];
          if (queryValue(handle, name, null, type, dataBuffer, size) !== 0) return null;
          if (type[0] === numberType) return dataBuffer.readUInt32LE(0);
          const strings = dataBuffer.toString('utf16le', 0, size[0]).split('\0');
          if (type[0] === multiStringType) return strings.filter(Boolean);
          return type[0] === stringType || type[0] === expandStringType ? (strings[0] ?? '') : null;
        },
        null,
      ),
    write: (key, name, value) => write(key, name, value, 0),
    writeVolatile: (key, name, value) => write(key, name, value, volatileOption),
    removeValue: (key, name) => inKey(key, writeAccess, (handle) => void removeValue(handle, name), undefined),
    removeKey: (key) => void removeTree(rootHandle, key),
    keys: (key) => namesIn(key, enumerateKeys),
    values: (key) => namesIn(key, enumerateValues),
  };
}

function typeOf(value: RegistryValue): number {
  if (typeof value === 'number') return numberType;
  if (typeof value !== 'string') return multiStringType;
  return variablePattern.test(value) ? expandStringType : stringType;
}
