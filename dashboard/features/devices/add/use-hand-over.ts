import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import { useCallback, useEffect, useState } from 'react';
import { handOver, isConnected, localStatus, loopbackPermission } from '../../../outside/local-agent.ts';

export type HandOverState = 'looking' | 'ask' | 'denied' | 'absent' | 'connected';

/**
 * Asks the local agent every 0.5 s, at most 120 times, and gives it the link, until it says that it is connected (4.9).
 * Where the browser would ask the person first it waits for `start` to be pressed. `cooldown`: seconds until it may be started again.
 */
export function useHandOver({ uri, signature }: HandOver): { state: HandOverState; cooldown: number; start: () => void } {
  const [state, setState] = useState<HandOverState>('looking');
  const [cooldown, setCooldown] = useState(0);
  // Which round is the current one; an older one that is still under way sees that it is over.
  const [round] = useState(() => ({ number: 0 }));

  const start = useCallback(() => {
    const mine = ++round.number;
    const current = () => round.number === mine;
    setState('looking');
    void (async () => {
      let given = false;
      for (let attempt = 0; attempt < limits.local_app_tries && current(); attempt++) {
        const status = await localStatus();
        if (!current()) return;
        if (given && isConnected(status)) {
          setState('connected');
          setCooldown(limits.download_restart_cooldown / 1000);
          return;
        }
        // Refused by the agent means this link is not for it; the code beside it still is.
        if (status && !given) given = await handOver({ uri, signature });
        await new Promise((resolve) => setTimeout(resolve, limits.local_app_poll));
      }
      if (!current()) return;
      setState('absent');
      setCooldown(limits.download_restart_cooldown / 1000);
    })();
  }, [uri, signature, round]);

  useEffect(() => {
    void loopbackPermission().then((permission) => {
      if (permission === 'granted') start();
      else setState(permission === 'prompt' ? 'ask' : 'denied');
    });
    return () => {
      round.number++;
    };
  }, [start, round]);

  useEffect(() => {
    if (cooldown <= 0) return;
    const timer = window.setTimeout(() => setCooldown(cooldown - 1), 1000);
    return () => clearTimeout(timer);
  }, [cooldown]);

  return { state, cooldown, start };
}
