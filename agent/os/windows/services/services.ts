import type { ServiceCalls } from '../native/services.ts';
import { readServiceTable, type ServiceListed } from './service-table.ts';

const win32Services = 0x30;
const allStates = 3;
const managerAccess = 0x0005;
/** Rights to query, change, start, stop, and reload settings. */
const serviceAccess = 0x0001 | 0x0002 | 0x0010 | 0x0020 | 0x0040;
const noChange = 0xffffffff;
/** Kinds of settings for ChangeServiceConfig2. */
const [failureActions, failureFlag] = [2, 4];
const restartAction = 1;
const RESTART_AFTER_MS = 1000;
const FORGET_FAILURES_SECONDS = 86_400;
const [stopControl, rereadControl] = [1, 6];

export const startTypes = { automatic: 2, byHand: 3, disabled: 4 } as const;

export interface Services {
  list(): ServiceListed[];
  /** The start type (`startTypes`); null when unknown. */
  startOf(name: string): number | null;
  setStart(name: string, start: number): boolean;
  /** Makes Windows start the service again within a second, however often and in whatever way it ends. */
  restartOnFailure(name: string): boolean;
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
    restartOnFailure: (name) =>
      withService(
        name,
        (service) => {
          const actions = Buffer.alloc(3 * 8);
          for (const at of [0, 8, 16]) {
            actions.writeUInt32LE(restartAction, at);
            actions.writeUInt32LE(RESTART_AFTER_MS, at + 4);
          }
          // SERVICE_FAILURE_ACTIONS: two texts that stay as they are, then how many actions there are, and where.
          const settings = Buffer.alloc(40);
          settings.writeUInt32LE(FORGET_FAILURES_SECONDS, 0);
          settings.writeUInt32LE(actions.length / 8, 24);
          settings.writeBigUInt64LE(calls.addressOf(actions), 32);
          const alsoAfterErrors = Buffer.from([1, 0, 0, 0]);
          return calls.changeMore(service, failureActions, settings) !== 0 && calls.changeMore(service, failureFlag, alsoAfterErrors) !== 0;
        },
        false,
      ),
    start: (name) => withService(name, (service) => calls.start(service, 0, null) !== 0, false),
    stop: (name) => control(name, stopControl),
    reread: (name) => control(name, rereadControl),
  };
}
