import type { ServiceCalls } from '../native/services.ts';
import { readServiceTable, type ServiceListed } from './service-table.ts';

const win32Services = 0x30;
const all = 3;
const managerAccess = 0x0005;
/** Ask for, change, start and stop it, and tell it to read its settings again. */
const serviceAccess = 0x0001 | 0x0002 | 0x0010 | 0x0020 | 0x0040;
const noChange = 0xffffffff;
const [stopControl, rereadControl] = [1, 6];

export const starts = { automatic: 2, byHand: 3, disabled: 4 } as const;

export interface Services {
  list(): ServiceListed[];
  /** How it is started (`starts`); null when there is no such service, or it may not be asked. */
  startOf(name: string): number | null;
  /** False when that may not be. */
  setStart(name: string, start: number): boolean;
  /** Asks it to start. False when it cannot be asked, or runs already; it may need a while. */
  start(name: string): boolean;
  /** Asks it to stop. False when it cannot be asked; it may need a while. */
  stop(name: string): boolean;
  /** Lets it read its settings again. */
  reread(name: string): boolean;
}

export function services(calls: ServiceCalls): Services {
  const withManager = <T>(use: (manager: number | bigint) => T, otherwise: T): T => {
    const manager = calls.openManager(null, null, managerAccess);
    if (!manager) return otherwise;
    try {
      return use(manager);
    } finally {
      calls.close(manager);
    }
  };
  const withService = <T>(name: string, use: (service: number | bigint) => T, otherwise: T): T =>
    withManager((manager) => {
      const service = calls.openService(manager, name, serviceAccess);
      if (!service) return otherwise;
      try {
        return use(service);
      } finally {
        calls.close(service);
      }
    }, otherwise);
  const control = (name: string, what: number) =>
    withService(name, (service) => calls.control(service, what, Buffer.alloc(28)) !== 0, false);
  return {
    list: () =>
      withManager<ServiceListed[]>((manager) => {
        const [needed, count, resume] = [[0], [0], [0]];
        // The most that the function takes at a time; ask again for what did not fit.
        const buffer = Buffer.alloc(256 << 10);
        const found: ServiceListed[] = [];
        for (let more = true; more; ) {
          more =
            calls.list(manager, 0, win32Services, all, buffer, buffer.length, needed, count, resume, null) === 0 && (count[0] ?? 0) > 0;
          found.push(...readServiceTable(buffer, calls.addressOf(buffer), count[0] ?? 0));
        }
        return found;
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
