import koffi from 'koffi';

export function loadAdapters() {
  const lib = koffi.load('iphlpapi.dll');
  return {
    addresses: lib.func(
      'uint32_t GetAdaptersAddresses(uint32_t family, uint32_t flags, void *reserved, _Out_ void *adapters, _Inout_ uint32_t *size)',
    ),
    addressOf: (buffer: Buffer): bigint => BigInt(koffi.address(buffer)),
  };
}
export type Adapters = ReturnType<typeof loadAdapters>;
