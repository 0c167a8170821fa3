import { type DeviceState, moodOf } from '../lib/device-state.ts';
import { Icon } from './icons.tsx';

const tagTexts = {
  pending: { icon: 'wait', text: 'Pending install' },
  expired: { icon: 'wait', text: 'Pending install' },
  protected: { icon: 'tick', text: 'Protected' },
  off: { icon: 'moon', text: 'Switched off' },
  asleep: { icon: 'moon', text: 'Asleep' },
  unseen: { icon: 'warning', text: 'No contact' },
  unarmed: { icon: 'warning', text: 'Not protected' },
  paused: { icon: 'warning', text: 'Paused' },
  stopped: { icon: 'warning', text: 'Closed' },
  left: { icon: 'warning', text: 'Not in this account' },
  limited: { icon: 'warning', text: 'Partly protected' },
  leaving: { icon: 'wait', text: 'Set to leave' },
  uninstalled: { icon: 'warning', text: 'Uninstalled' },
  alert: { icon: 'warning', text: 'Alert' },
  not_stopped: { icon: 'warning', text: 'Not stopped' },
} as const satisfies Record<DeviceState, object>;

const kinds = { danger: 'danger', stopped: 'look', look: 'look', safe: 'safe' } as const;

export function StateTag({ state }: { state: DeviceState }) {
  const { icon, text } = tagTexts[state];
  return (
    <span className={`tag ${icon === 'moon' ? 'off' : kinds[moodOf[state]]}`}>
      <Icon name={icon} size={18} />
      {text}
    </span>
  );
}
