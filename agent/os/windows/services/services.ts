import type { ServiceCalls } from '../native/services.ts';
import { readServiceTable, type ServiceListed } from './service-table.ts';

const win32Services = 0x30;
const allStates = 3;
const managerAccess = 0x0005;
/** Rights to query, change, start, stop, and reload settings. */
const serviceAccess = 0x0001 | 0x0002 | 0x0010 | 0x0020 | 0x0040;
const noChange = 0xffffffff;
const [stopControl, rereadControl] = [1, 6];

export const startTypes = { automatic: 2, byHand: 3, disabled: 4 } as const;

export interface Services {
  list(): ServiceListed[];
  /** The start type (`startTypes`); null when unknown. */
  startOf(name: string): number | null;
  setStart(name: string, start: number): boolean;
  /** Requests a start, without waiting. False when refused or already running. */
  start(name: string): boolean;
  /** Requests a stop, without waiting. False when refused. */
  stop(name: string): boolean;
  /** Makes the service reload its settings. */
  reread(name: string): boolean;
}

export function services(calls: ServiceCalls): Services {
  const withManager = <T>(use: (manager: number | bigint) => T, fallback: T): T => {
    const manager = calls.openManager(null, null, managerAccess);
    if (!manager) return fallback;
    try {
      return use(manager);
    } finally {
      calls.close(manager);
    }
  };
  const withService = <T>(name: string, use: (service: number | bigint) => T, fallback: T): T =>
    withManager((manager) => {
      const service = calls.openService(manager, name, serviceAccess);
      if (!service) return fallback;
      try {
        return use(service);
      } finally {
        calls.close(service);
      }
    }, fallback);
  const control = (name: string, controlCode: number) =>
    withService(name, (service) => calls.control(service, controlCode, Buffer.alloc(28)) !== 0, false);
  return {
    list: () =>
      withManager<ServiceListed[]>((manager) => {
        const [needed, count, resume] = [[0], [0], [0]];
        // The largest buffer Windows accepts; the loop reads the rest.
        const buffer = Buffer.alloc(256 << 10);
        const listedServices: ServiceListed[] = [];
        for (let hasMore = true; hasMore; ) {
          hasMore =
            calls.list(manager, 0, win32Services, allStates, buffer, buffer.length, needed, count, resume, null) === 0 &&
            (count[0] ?? 0) > 0;
          listedServices.push(...readServiceTable(buffer, calls.addressOf(buffer), count[0] ?? 0));
        }
        return listedServices;
      }, []),
    startOf: (name) =>
      withService<number | null>(
        name,
        (service) => {
          const buffer = Buffer.alloc(8192);
          return calls.config(service, buffer, buffer.length, [0]) ? buffer.readUInt32LE(4) : null;
        },
        null,
      ),
    setStart: (name, start) =>
      withService(
        name,
        (service) => calls.change(service, noChange, start, noChange, null, null, null, null, null, null, null) !== 0,
        false,
      ),
    start: (name) => withService(name, (service) => calls.start(service, 0, null) !== 0, false),
    stop: (name) => control(name, stopControl),
    reread: (name) => control(name, rereadControl),
  };
}
