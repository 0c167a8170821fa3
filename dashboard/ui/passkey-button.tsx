import { Icon } from './icons.tsx';

const labelText = 'Use a passkey';

interface PasskeyButtonProps {
  onPress: () => void;
  disabled: boolean;
  /** What the press does, where that is more than a proof. */
  label?: string;
  wide?: boolean;
}

export function PasskeyButton({ onPress, disabled, label = labelText, wide = false }: PasskeyButtonProps) {
  return (
    <button type="button" className={wide ? 'btn quiet wide' : 'btn quiet'} disabled={disabled} onClick={onPress}>
      <Icon name="key" />
      {label}
    </button>
  );
}
