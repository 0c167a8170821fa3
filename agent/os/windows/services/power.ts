import type { SleepHeard, SleepWatch } from '../../port.ts';

/** What WM_POWERBROADCAST and SERVICE_CONTROL_POWEREVENT say (winuser.h). */
const [suspend, resumeSuspend, resumeAutomatic] = [4, 7, 18];

export interface PowerEvents {
  /** Windows says this to the service. */
  happened(event: number): void;
  watch(heard: SleepHeard): SleepWatch;
}

/** Sleep, as Windows announces it to a service. It waits two seconds at most for all who hear of it, and not for what they begin. */
export function powerEvents(): PowerEvents {
  const all = new Set<SleepHeard>();
  return {
    happened(event) {
      for (const heard of all) {
        if (event === suspend) void heard.going();
        if (event === resumeSuspend || event === resumeAutomatic) heard.back();
      }
    },
    watch(heard) {
      all.add(heard);
      return { works: () => all.has(heard), close: () => void all.delete(heard) };
    },
  };
}
