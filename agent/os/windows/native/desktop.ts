import koffi from 'koffi';

export function loadDesktop() {
  const user32 = koffi.load('user32.dll');
  const shell32 = koffi.load('shell32.dll');
  const kernel32 = koffi.load('kernel32.dll');
  const procedure = koffi.proto('intptr_t PorchlightWindow(uintptr_t window, uint32_t message, uintptr_t w, intptr_t l)');
  const windowClass = koffi.struct('PorchlightClass', {
    style: 'uint32_t',
    procedure: koffi.pointer(procedure),
    classExtra: 'int',
    windowExtra: 'int',
    instance: 'uintptr_t',
    icon: 'uintptr_t',
    cursor: 'uintptr_t',
    brush: 'uintptr_t',
    menu: 'str16',
    name: 'str16',
  });
  return {
    register: user32.func('RegisterClassW', 'uint16_t', [koffi.pointer(windowClass)]),
    create: user32.func(
      'uintptr_t CreateWindowExW(uint32_t ex, str16 name, str16 title, uint32_t style, int x, int y, int w, int h, uintptr_t parent, uintptr_t menu, uintptr_t instance, void *data)',
    ),
    byDefault: user32.func('intptr_t DefWindowProcW(uintptr_t window, uint32_t message, uintptr_t w, intptr_t l)'),
    peek: user32.func('int PeekMessageW(_Out_ void *message, uintptr_t window, uint32_t first, uint32_t last, uint32_t remove)'),
    dispatch: user32.func('intptr_t DispatchMessageW(const void *message)'),
    loadIcon: user32.func('uintptr_t LoadIconW(uintptr_t instance, uintptr_t id)'),
    createMenu: user32.func('uintptr_t CreatePopupMenu()'),
    addChoice: user32.func('int AppendMenuW(uintptr_t menu, uint32_t flags, uintptr_t id, str16 text)'),
    cursor: user32.func('int GetCursorPos(_Out_ void *point)'),
    toFront: user32.func('int SetForegroundWindow(uintptr_t window)'),
    choose: user32.func(
      'int TrackPopupMenu(uintptr_t menu, uint32_t flags, int x, int y, int reserved, uintptr_t window, void *rectangle)',
    ),
    destroyMenu: user32.func('int DestroyMenu(uintptr_t menu)'),
    tray: shell32.func('int Shell_NotifyIconW(uint32_t what, const void *data)'),
    sessionOf: kernel32.func('int ProcessIdToSessionId(uint32_t pid, _Out_ uint32_t *session)'),
    sessionAtScreen: kernel32.func('uint32_t WTSGetActiveConsoleSessionId()'),
    procedureOf: (callback: (window: bigint, message: number, w: bigint, l: bigint) => unknown) =>
      koffi.register(callback, koffi.pointer(procedure)),
  };
}
export type Desktop = ReturnType<typeof loadDesktop>;
