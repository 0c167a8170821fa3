import { limits } from '@porchlight/contract/limits.ts';
import type { HandOver } from '@porchlight/contract/loopback.ts';
import { useEffect, useState } from 'react';
import { handOver, isConnected, localStatus, loopbackPermission, type Waiting } from '../../../integrations/local-agent.ts';
import { useCountdown } from '../../../lib/use-countdown.ts';

/**
 * `ask`: the browser would ask, so the person is told first. `absent`: refused, timed out or not there, which all look the same (P3.3).
 * `asked` and `pin_needed`: the window of the program asks whose this computer is to be, and it is looked whether it was answered; `unanswered`: it was
 * not while that was looked at. `declined`: somebody said no there.
 */
export type HandOverState = 'looking' | 'ask' | 'absent' | Waiting | 'unanswered' | 'declined' | 'connected';
type End = 'connected' | 'absent' | 'unanswered' | 'declined';

const cooldown = limits.download_restart_cooldown / 1000;

/**
 * Asks the local agent every 0.5 s, at most 120 times, and gives it the link, until it says that it is connected (4.9).
 * Where the browser would ask the person first it waits for `start` to be pressed. `locked`: seconds until it may be started again (4.11).
 */
export function useHandOver({ uri, signature }: HandOver): { state: HandOverState; locked: number; start: () => void } {
  const [state, setState] = useState<HandOverState>('looking');
  const [locked, lock] = useCountdown(cooldown);
  /** The first attempt runs only where the browser would not ask; each later one was started by the person. */
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let live = true;
    void (async () => {
      const permission = await loopbackPermission();
      if (permission === 'prompt' && attempt === 0) return live && setState('ask');
      // This call blocks until the person answers the browser's prompt.
      if (permission === 'prompt') await localStatus(null);
      const found = await connect(
        { uri, signature },
        () => live,
        (waiting) => live && setState(waiting),
      );
      if (live) setState(found);
    })();
    return () => {
      live = false;
    };
  }, [attempt, uri, signature]);

  const start = () => {
    setState('looking');
    setAttempt(attempt + 1);
    lock(cooldown);
  };
  return { state, locked, start };
}

async function connect(link: HandOver, live: () => boolean, waits: (how: Waiting) => void): Promise<End> {
  const seen: { given?: Awaited<ReturnType<typeof handOver>> | 'under way'; end?: End } = {};
  const look = async () => {
    const status = await localStatus();
    // A computer of another account was connected before. Where the PIN is asked for only the server can tell that it has moved.
    if ((seen.given === 'taken' || seen.given === 'asked') && isConnected(status)) seen.end = 'connected';
    // A status request may overtake the refusal of the link.
    if (!status || !live() || seen.end || (seen.given !== undefined && seen.given !== 'unheard')) return;
    seen.given = 'under way';
    seen.given = await handOver(link);
    // Retrying would use up the code's attempts, and the code may still be typed.
    if (seen.given === 'refused') seen.end = 'absent';
    if (seen.given === 'declined') seen.end = 'declined';
    if (seen.given === 'asked' || seen.given === 'pin_needed') waits(seen.given);
  };
  let last: Promise<void> | undefined;
  for (let tries = 0; tries < limits.local_app_tries && !seen.end && live(); tries++) {
    // No, or no answer: each further call would have the browser ask once more.
    if ((await loopbackPermission()) !== 'granted') return 'absent';
    last = look();
    await new Promise((resolve) => setTimeout(resolve, limits.local_app_poll));
  }
  await last;
  return seen.end ?? (seen.given === 'asked' || seen.given === 'pin_needed' ? 'unanswered' : 'absent');
}
