import { useEffect, useState } from 'react';

/**
 * Whole seconds until an action is possible again: `start(60)`, then 59, 58 … 0. By the clock, because timers of hidden pages are
 * throttled.
 */
export function useCountdown(initialSeconds = 0): [seconds: number, start: (seconds: number) => void] {
  const [now, setNow] = useState(Date.now);
  const [endTime, setEndTime] = useState(now + initialSeconds * 1000);
  const secondsLeft = Math.max(0, Math.ceil((endTime - now) / 1000));
  const running = secondsLeft > 0;
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running, endTime]);
  const start = (seconds: number) => {
    setNow(Date.now());
    setEndTime(Date.now() + seconds * 1000);
  };
  return [secondsLeft, start];
}
