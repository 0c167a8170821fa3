import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import { useEffect, useState } from 'react';
import { handOver, isConnected, localStatus, loopbackPermission } from '../../../outside/local-agent.ts';

export type HandOverState = 'looking' | 'ask' | 'denied' | 'absent' | 'connected';

/**
 * Asks the local agent every 0.5 s, at most 120 times, and gives it the link, until it says that it is connected (4.9).
 * Where the browser would ask the person first it waits for `start` to be pressed. `cooldown`: seconds until it may be started again.
 */
export function useHandOver({ uri, signature }: HandOver): { state: HandOverState; cooldown: number; start: () => void } {
  const [state, setState] = useState<HandOverState>('looking');
  const [cooldown, setCooldown] = useState(0);
  /** The first attempt is made only where the browser would not ask; every further one was asked for by the person. */
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let live = true;
    const finish = (found: HandOverState) => {
      if (!live) return;
      setState(found);
      if (found === 'connected' || found === 'absent') setCooldown(limits.download_restart_cooldown / 1000);
    };
    void (async () => {
      const permission = attempt === 0 ? await loopbackPermission() : 'granted';
      if (permission === 'granted') finish(await connect({ uri, signature }, () => live));
      else finish(permission === 'prompt' ? 'ask' : 'denied');
    })();
    return () => {
      live = false;
    };
  }, [attempt, uri, signature]);

  useEffect(() => {
    if (cooldown <= 0) return;
    const timer = window.setTimeout(() => setCooldown(cooldown - 1), 1000);
    return () => clearTimeout(timer);
  }, [cooldown]);

  const start = () => {
    setState('looking');
    setAttempt(attempt + 1);
  };
  return { state, cooldown, start };
}

async function connect(link: HandOver, live: () => boolean): Promise<'connected' | 'absent'> {
  let given = false;
  for (let tries = 0; tries < limits.local_app_tries && live(); tries++) {
    const status = await localStatus();
    if (given && isConnected(status)) return 'connected';
    // Refused by the agent means this link is not for it; the code beside it still is.
    if (status && !given && live()) given = await handOver(link);
    await new Promise((resolve) => setTimeout(resolve, limits.local_app_poll));
  }
  return 'absent';
}
