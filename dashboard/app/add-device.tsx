import { AddDeviceScreen } from '../features/devices/add/add-device-screen.tsx';
import { CompatibilityWarning } from '../features/downloads/compatibility-warning.tsx';
import { DownloadCard } from '../features/downloads/download-buttons.tsx';
import { useDeviceScan } from './device-scan.tsx';

/** Adding a device; finishing it looks for new devices (2.60). */
export function AddDevice() {
  return (
    <AddDeviceScreen
      onFinish={useDeviceScan()}
      compatibility={<CompatibilityWarning />}
      downloads={(code) => <DownloadCard code={code} />}
    />
  );
}
