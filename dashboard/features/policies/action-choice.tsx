import type { Category, PolicyAction } from '@porchlight/contract/shapes.ts';
import { useId } from 'react';
import { messages } from './messages.ts';
import './policies.css';

const actions: PolicyAction[] = ['block', 'alert', 'ignore'];

export function ActionChoice({
  category,
  value,
  onChange,
}: {
  category: Category;
  value: PolicyAction;
  onChange: (newAction: PolicyAction) => void;
}) {
  const hintId = useId();
  const texts = messages.category[category];
  return (
    <fieldset className="plain actions" aria-describedby={hintId}>
      <legend className="label">{texts.legend}</legend>
      <p id={hintId} className="soft">
        {texts.hint}
      </p>
      <div className="three">
        {actions.map((action) => (
          <label className="choice" key={action}>
            <input type="radio" name={category} value={action} checked={action === value} onChange={() => onChange(action)} />
            <span>
              <strong>{messages.action[action]}</strong>
              <br />
              <span className="soft">{texts.means[action]}</span>
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
