import { Icon } from '../../ui/icons.tsx';
import { messages } from './messages.ts';
import { passwordRules } from './rules.ts';

export function PasswordChecklist({ password, again: repeatedPassword }: { password: string; again: string }) {
  const rules = passwordRules(password, repeatedPassword);
  const row = (fulfilled: boolean, text: string) => (
    <li className="rule" data-kept={fulfilled}>
      <Icon name={fulfilled ? 'tick' : 'wait'} />
      <span>{text}</span>
      <span className="sr">{fulfilled ? ': yes' : ': not yet'}</span>
    </li>
  );
  return (
    <ul className="rules" aria-label="Password rules">
      {row(rules.long, messages.rules.long)}
      {row(rules.same, messages.rules.same)}
    </ul>
  );
}
