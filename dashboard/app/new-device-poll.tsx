import { limits } from '@porchlight/contract/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef } from 'react';

const Scan = createContext<() => void>(() => {});

/** Starts to look for new devices: the list is loaded again every 10 s, until 120 s have passed (2.60, 4.13). Starting anew begins the time anew. */
export const useNewDevicePoll = () => useContext(Scan);

/** Stands around all screens, because the one that starts the scan is left in the same moment. */
export function NewDevicePoll({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearInterval(timer.current), []);
  const start = useCallback(() => {
    clearInterval(timer.current);
    let left = limits.scan_after_setup / limits.device_rescan;
    timer.current = window.setInterval(() => {
      left -= 1;
      if (left === 0) clearInterval(timer.current);
      void client.invalidateQueries({ queryKey: ['devices'] });
    }, limits.device_rescan);
  }, [client]);
  return <Scan value={start}>{children}</Scan>;
}
