import type { Category, PolicyAction } from '@porchlight/contract/shapes.ts';
import { useId } from 'react';
import { messages } from './messages.ts';
import './policies.css';

const actions: PolicyAction[] = ['block', 'alert', 'ignore'];

/** Block, Tell me or Ignore for one category, with what each means; and a calm word where scammers could get in. */
export function ActionChoice({
  category,
  value,
  onChange,
}: {
  category: Category;
  value: PolicyAction;
  onChange: (to: PolicyAction) => void;
}) {
  const hint = useId();
  const words = messages.category[category];
  return (
    <fieldset className="plain actions" aria-describedby={hint}>
      <legend className="label">{words.legend}</legend>
      <p id={hint} className="soft">
        {words.hint}
      </p>
      <div className="three">
        {actions.map((action) => (
          <label className="choice" key={action}>
            <input type="radio" name={category} value={action} checked={action === value} onChange={() => onChange(action)} />
            <span>
              <strong>{messages.action[action]}</strong>
              <br />
              <span className="soft">{words.means[action]}</span>
            </span>
          </label>
        ))}
      </div>
      {category === 'RemoteControl' && (
        <div aria-live="polite">{value !== 'block' && <p className="note look">{messages.notBlocked}</p>}</div>
      )}
    </fieldset>
  );
}
