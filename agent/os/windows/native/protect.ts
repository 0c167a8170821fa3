import koffi from 'koffi';

/** Seals what only this computer may read (DPAPI), and opens it again; null when it was sealed elsewhere, or changed. Only on Windows. */
export interface Sealing {
  seal(plain: Buffer): Buffer;
  open(sealed: Buffer): Buffer | null;
}

/** For every account of this computer: the service has no other. No window is shown. */
const [noWindow, wholeMachine] = [0x1, 0x4];

export function openSealing(): Sealing {
  const crypt32 = koffi.load('crypt32.dll');
  const kernel32 = koffi.load('kernel32.dll');
  const blob = koffi.struct('PorchlightBlob', { size: 'uint32_t', data: 'void *' });
  const [given, taken] = [koffi.pointer(blob), koffi.out(koffi.pointer(blob))];
  const parameters = [given, 'void *', 'void *', 'void *', 'void *', 'uint32_t', taken];
  const protect = crypt32.func('CryptProtectData', 'int', parameters);
  const unprotect = crypt32.func('CryptUnprotectData', 'int', parameters);
  const free = kernel32.func('void *LocalFree(void *memory)');
  const run = (call: typeof protect, data: Buffer): Buffer | null => {
    const result = { size: 0, data: null as unknown };
    if (!call({ size: data.length, data }, null, null, null, null, noWindow | wholeMachine, result)) return null;
    const copy = Buffer.from(koffi.decode(result.data, koffi.array('uint8_t', result.size, 'Typed')) as Uint8Array);
    free(result.data);
    return copy;
  };
  return {
    seal(plain) {
      const sealed = run(protect, plain);
      if (!sealed) throw new Error('Windows did not seal the key of this computer.');
      return sealed;
    },
    open: (sealed) => run(unprotect, sealed),
  };
}
