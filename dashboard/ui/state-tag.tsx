import type { DeviceState } from '../lib/device-state.ts';
import { Icon } from './icons.tsx';

const tags = {
  pending: { kind: 'look', icon: 'wait', text: 'Pending install' },
  protected: { kind: 'safe', icon: 'tick', text: 'Protected' },
  off: { kind: 'off', icon: 'moon', text: 'Switched off' },
  asleep: { kind: 'off', icon: 'moon', text: 'Asleep' },
  unseen: { kind: 'look', icon: 'wait', text: 'Not seen lately' },
  paused: { kind: 'look', icon: 'warning', text: 'Paused' },
  stopped: { kind: 'danger', icon: 'warning', text: 'Stopped' },
  left: { kind: 'danger', icon: 'warning', text: 'Not in this account' },
  uninstalled: { kind: 'danger', icon: 'warning', text: 'Uninstalled' },
  alert: { kind: 'danger', icon: 'warning', text: 'Alert' },
} as const satisfies Record<DeviceState, object>;

/** How a device is: a word, a shape and a colour. */
export function StateTag({ state }: { state: DeviceState }) {
  const { kind, icon, text } = tags[state];
  return (
    <span className={`tag ${kind}`}>
      <Icon name={icon} size={18} />
      {text}
    </span>
  );
}
