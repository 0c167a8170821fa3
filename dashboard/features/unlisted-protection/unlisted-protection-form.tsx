import { limits } from '@porchlight/contract/limits.ts';
import type { NewPrograms, UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';
import { readWebsite } from '@porchlight/contract/websites.ts';
import { useId } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { Form } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useAskedChoice } from '../../ui/use-asked-choice.ts';
import { WebsiteList } from '../../ui/website-list.tsx';
import { messages } from './messages.ts';
import { useUnlistedProtection } from './queries.ts';
import './unlisted-protection.css';

/** From what the dashboard recommends to the weakest. */
const newProgramChoices = ['incident', 'always', 'count'] as const satisfies NewPrograms[];
const strength: Record<NewPrograms, number> = { count: 0, incident: 1, always: 2 };

const websites = { read: readWebsite, max: limits.money_sites_max };

/** Each choice is saved at once; the server's answer, good or bad, is shown at the bottom of the window. */
export function UnlistedProtectionForm() {
  const { protection, change } = useUnlistedProtection();
  const headingId = useId();
  return (
    <section className="card stack" aria-labelledby={headingId}>
      <h2 id={headingId}>{messages.heading}</h2>
      <p className="soft">{messages.lead}</p>
      <Loading of={protection} height={900}>
        {(saved) => <Fields saved={saved} change={change} />}
      </Loading>
    </section>
  );
}

function Fields({ saved, change }: { saved: UnlistedProtection; change: (to: Partial<UnlistedProtection>) => Promise<unknown> }) {
  const { form, shown, choose } = useAskedChoice(saved, change, messages.saved);
  const onOff = (part: 'pasted_commands' | 'doors' | 'money_pages') => (
    <Choice
      kind="switch"
      name={part}
      label={messages[part].label}
      hint={messages[part].hint}
      checked={shown[part]}
      onChange={(on) => void choose({ [part]: on }, on ? null : messages[part].ask)}
    />
  );
  const chooseNewPrograms = (to: NewPrograms) => {
    const isWeaker = to !== 'always' && strength[to] < strength[shown.new_programs];
    return choose({ new_programs: to }, isWeaker ? messages.new_programs.ask[to] : null);
  };
  return (
    <Form state={form} onSubmit={() => undefined} label={messages.heading} alert="sticky">
      {onOff('pasted_commands')}
      {onOff('doors')}
      <fieldset className="plain new-programs">
        <legend className="label">{messages.new_programs.legend}</legend>
        {newProgramChoices.map((one) => (
          <Choice
            key={one}
            kind="radio"
            name="new_programs"
            label={messages.new_programs.label[one]}
            hint={messages.new_programs.means[one]}
            checked={one === shown.new_programs}
            onChange={() => void chooseNewPrograms(one)}
          />
        ))}
      </fieldset>
      {onOff('money_pages')}
      {shown.money_pages && (
        <>
          <WebsiteList
            sites={shown.money_sites}
            {...websites}
            words={messages.money_sites}
            disabled={form.loading}
            onChange={(money_sites, done) => choose({ money_sites }, 'removed' in done ? messages.money_sites.ask(done.removed) : null)}
          />
          <WebsiteList
            sites={shown.money_open}
            {...websites}
            words={messages.money_open}
            disabled={form.loading}
            onChange={(money_open, done) => choose({ money_open }, 'added' in done ? messages.money_open.ask(done.added) : null)}
          />
        </>
      )}
    </Form>
  );
}
