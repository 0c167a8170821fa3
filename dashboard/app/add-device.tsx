import { limits } from '@porchlight/contract/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { AddDeviceScreen } from '../features/devices/add/add-device-screen.tsx';
import { CompatibilityWarning } from '../features/downloads/compatibility-warning.tsx';
import { DownloadCard } from '../features/downloads/download-buttons.tsx';

/** Adding a device; finishing it looks for new devices for 120 seconds, every 10 (2.60, 4.13). */
export function AddDevice() {
  const client = useQueryClient();
  const scan = useCallback(() => {
    const timer = window.setInterval(() => void client.invalidateQueries({ queryKey: ['devices'] }), limits.device_rescan);
    window.setTimeout(() => clearInterval(timer), limits.scan_after_setup);
  }, [client]);
  return <AddDeviceScreen onFinish={scan} compatibility={<CompatibilityWarning />} downloads={(code) => <DownloadCard code={code} />} />;
}
