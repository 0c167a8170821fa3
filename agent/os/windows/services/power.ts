import type { SleepCallbacks, SleepWatch } from '../../port.ts';

/** Events of SERVICE_CONTROL_POWEREVENT (winuser.h). */
const [suspend, resumeSuspend, resumeAutomatic] = [4, 7, 18];

export interface PowerEvents {
  onEvent(event: number): void;
  watch(callbacks: SleepCallbacks): SleepWatch;
}

/** Sleep events of a service. Windows waits two seconds at most, and not for asynchronous work. */
export function powerEvents(): PowerEvents {
  const listeners = new Set<SleepCallbacks>();
  return {
    onEvent(event) {
      for (const callbacks of listeners) {
        if (event === suspend) void callbacks.beforeSleep();
        if (event === resumeSuspend || event === resumeAutomatic) callbacks.afterSleep();
      }
    },
    watch(callbacks) {
      listeners.add(callbacks);
      return { works: () => listeners.has(callbacks), close: () => void listeners.delete(callbacks) };
    },
  };
}
