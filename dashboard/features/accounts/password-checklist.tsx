import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';
import { passwordRules } from './rules.ts';

export function PasswordChecklist({ password, again }: { password: string; again: string }) {
  const rules = passwordRules(password, again);
  const row = (kept: boolean, text: string) => (
    <li className="rule" data-kept={kept}>
      <Icon name={kept ? 'tick' : 'wait'} />
      <span>{text}</span>
      <span className="sr">{kept ? ': yes' : ': not yet'}</span>
    </li>
  );
  return (
    <ul className="rules" aria-label="Password rules">
      {row(rules.long, messages.rules.long)}
      {row(rules.same, messages.rules.same)}
    </ul>
  );
}
