import { QuietStatus, useForm } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { messages } from './settings-messages.ts';

/** One way to be told: whether it is on, in words, and a button that says what it does. `onChange` null: only to be read. */
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
