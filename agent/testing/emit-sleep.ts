// Is logind on a bus of a test: takes its name (or none, with `other`), says `ready`, and announces sleep (`true`) and waking (`false`), a line each.
import { createInterface } from 'node:readline';
import koffi from 'koffi';

const lib = koffi.load('libsystemd.so.0');
const bus: unknown[] = [null];
const must = (code: number) => {
  if (code < 0) throw new Error(`sd-bus: ${code}`);
};
must((lib.func('int sd_bus_open_system(_Out_ void **bus)') as (out: unknown[]) => number)(bus));
if (process.argv[2] !== 'other')
  must(
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
  must(emit(bus[0], '/org/freedesktop/login1', 'org.freedesktop.login1.Manager', 'PrepareForSleep', 'b', 'int', line === 'true' ? 1 : 0));
  must(flush(bus[0]));
}
