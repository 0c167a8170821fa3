import { useEffect, useState } from 'react';

/** The time, renewed every half minute, so that "today 14:05" does not stay when it is tomorrow. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
