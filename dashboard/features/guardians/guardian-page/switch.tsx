import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { messages } from './settings-messages.ts';

/** Read-only if `onChange` is null. */
export function Switch({ label, on, onChange }: { label: string; on: boolean; onChange: ((on: boolean) => Promise<void>) | null }) {
  const form = useForm();
  const press = () =>
    form.run(async () => {
      await onChange?.(!on);
      return messages.reach.changed(label, !on);
    });
  return (
    <div>
      <div className="row between">
        <span className="row">
          <strong>{label}</strong>
          <span className={`tag ${on ? 'safe' : 'look'}`}>
            <Icon name={on ? 'tick' : 'cross'} size={18} />
            {on ? messages.reach.on : messages.reach.off}
          </span>
        </span>
        {onChange && (
          <button type="button" className="btn quiet" onClick={() => void press()}>
            {messages.reach.turn(label, !on)}
          </button>
        )}
      </div>
      <QuietStatus state={form} />
    </div>
  );
}
