import type { PushRecipient } from '../../integrations/push-record.ts';
import { QuietStatus } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';
import { PushHelp } from './push-help.tsx';
import { usePush } from './use-push.ts';

/** Alerts in this browser, on or off; nothing where the browser has none. */
export function PushSwitch({ recipient }: { recipient: PushRecipient }) {
  const { state, device, form, turnOn, turnOff } = usePush(recipient);
  if (state === 'unsupported') return null;
  const on = state === 'on';
  return (
    <div className="push-row">
      <div className="row between">
        <span className="row">
          <strong>{messages.label(device)}</strong>
          <span className={`tag ${on ? 'safe' : 'look'}`}>
            <Icon name={on ? 'tick' : 'cross'} size={18} />
            {on ? messages.on : messages.off}
          </span>
        </span>
        {(on || state === 'off') && (
          <button type="button" className="btn quiet" onClick={() => void (on ? turnOff() : turnOn())}>
            {on ? messages.turnOff : messages.turnOn}
          </button>
        )}
      </div>
      {state === 'off' && <p className="soft">{messages.why}</p>}
      <PushHelp state={state} />
      <QuietStatus state={form} />
    </div>
  );
}
