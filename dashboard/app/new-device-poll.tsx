import { limits } from '@porchlight/contract/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef } from 'react';

const Scan = createContext<() => void>(() => {});

/** Polls the device list every 10 s for 120 s (2.60, 4.13). A second start begins again. */
export const useNewDevicePoll = () => useContext(Scan);

/** Wraps all screens, since the screen that starts the poll closes at that moment. */
export function NewDevicePoll({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearInterval(timer.current), []);
  const start = useCallback(() => {
    clearInterval(timer.current);
    let pollsLeft = limits.scan_after_setup / limits.device_rescan;
    timer.current = window.setInterval(() => {
      pollsLeft -= 1;
      if (pollsLeft === 0) clearInterval(timer.current);
      void client.invalidateQueries({ queryKey: ['devices'] });
    }, limits.device_rescan);
  }, [client]);
  return <Scan value={start}>{children}</Scan>;
}
