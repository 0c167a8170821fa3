import { AddDeviceScreen } from '../features/devices/add/add-device-screen.tsx';
import { t } from '../features/devices/texts.ts';
import { platformOf } from '../outside/platform.ts';
import { useDeviceScan } from './device-scan.tsx';

/** Adding a device; finishing it looks for new devices (2.60). */
export function AddDevice() {
  return <AddDeviceScreen onFinish={useDeviceScan()} compatibility={<Compatibility />} />;
}

function Compatibility() {
  const { supported, description } = platformOf(navigator.userAgent);
  return supported ? null : <p className="note look">{t.compatibility(description)}</p>;
}
