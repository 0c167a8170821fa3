import koffi from 'koffi';

export function loadServices() {
  const lib = koffi.load('advapi32.dll');
  const main = koffi.proto('void PorchlightServiceMain(uint32_t count, void *names)');
  const control = koffi.proto('uint32_t PorchlightControl(uint32_t control, uint32_t event, void *data, void *context)');
  const entry = koffi.struct('PorchlightServiceEntry', { name: 'str16', main: koffi.pointer(main) });
  return {
    openManager: lib.func('uintptr_t OpenSCManagerW(str16 machine, str16 database, uint32_t access)'),
    openService: lib.func('uintptr_t OpenServiceW(uintptr_t manager, str16 name, uint32_t access)'),
    close: lib.func('int CloseServiceHandle(uintptr_t handle)'),
    list: lib.func(
      'int EnumServicesStatusExW(uintptr_t manager, int level, uint32_t type, uint32_t state, _Out_ void *buffer, uint32_t size, _Out_ uint32_t *needed, _Out_ uint32_t *count, _Inout_ uint32_t *resume, str16 group)',
    ),
    config: lib.func('int QueryServiceConfigW(uintptr_t service, _Out_ void *buffer, uint32_t size, _Out_ uint32_t *needed)'),
    change: lib.func(
      'int ChangeServiceConfigW(uintptr_t service, uint32_t type, uint32_t start, uint32_t errors, str16 path, str16 group, void *tag, str16 dependencies, str16 account, str16 password, str16 display)',
    ),
    changeMore: lib.func('int ChangeServiceConfig2W(uintptr_t service, uint32_t what, const void *settings)'),
    start: lib.func('int StartServiceW(uintptr_t service, uint32_t count, void *arguments)'),
    control: lib.func('int ControlService(uintptr_t service, uint32_t control, _Out_ void *status)'),
    dispatcher: lib.func('StartServiceCtrlDispatcherW', 'int', [koffi.pointer(entry)]),
    registerHandler: lib.func('RegisterServiceCtrlHandlerExW', 'uintptr_t', ['str16', koffi.pointer(control), 'void *']),
    setStatus: lib.func('int SetServiceStatus(uintptr_t handle, const void *status)'),
    mainCallback: (callback: () => void) => koffi.register(callback, koffi.pointer(main)),
    controlCallback: (callback: (control: number, event: number) => number) => koffi.register(callback, koffi.pointer(control)),
    textAt: (address: bigint): string => koffi.decode(address, 'char16_t', -1) as unknown as string,
    addressOf: (buffer: Buffer): bigint => BigInt(koffi.address(buffer)),
  };
}
export type ServiceCalls = ReturnType<typeof loadServices>;
