// A fake logind on a test's bus: takes its name (unless given `other`), prints `ready`, and announces sleep (`true`) or wake (`false`) for
// each input line.
import { createInterface } from 'node:readline';
import koffi from 'koffi';

const lib = koffi.load('libsystemd.so.0');
const bus: unknown[] = [null];
const requireSuccess = (code: number) => {
  if (code < 0) throw new Error(`sd-bus: ${code}`);
};
requireSuccess((lib.func('int sd_bus_open_system(_Out_ void **bus)') as (out: unknown[]) => number)(bus));
if (process.argv[2] !== 'other')
  requireSuccess(
    (lib.func('int sd_bus_request_name(void *bus, str name, uint64_t flags)') as (...all: unknown[]) => number)(
      bus[0],
      'org.freedesktop.login1',
      0,
    ),
  );
const emit = lib.func('int sd_bus_emit_signal(void *bus, str path, str interface, str member, str types, ...)') as (
  ...all: unknown[]
) => number;
const flush = lib.func('int sd_bus_flush(void *bus)') as (bus: unknown) => number;
console.log('ready');
for await (const line of createInterface(process.stdin)) {
  requireSuccess(
    emit(bus[0], '/org/freedesktop/login1', 'org.freedesktop.login1.Manager', 'PrepareForSleep', 'b', 'int', line === 'true' ? 1 : 0),
  );
  requireSuccess(flush(bus[0]));
}
