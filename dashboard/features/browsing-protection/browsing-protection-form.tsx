import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { ResolverChoice } from '@porchlight/contract/protective-resolvers.ts';
import { readOrigin } from '@porchlight/contract/websites.ts';
import { useId } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { Form } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useAskedChoice } from '../../ui/use-asked-choice.ts';
import { WebsiteList } from '../../ui/website-list.tsx';
import { messages } from './messages.ts';
import { useBrowsingProtection } from './queries.ts';
import './browsing-protection.css';

const resolvers = ['network', 'quad9', 'cloudflare'] as const satisfies ResolverChoice[];

const scheme = 'https://';
const withoutScheme = (origin: string) => origin.slice(scheme.length);
const originsOf = (sites: string[]) => ({ notification_origins: sites.map((site) => scheme + site) });

function readSite(typedText: string): string | null {
  const origin = readOrigin(typedText);
  return origin === null ? null : withoutScheme(origin);
}

/** Each choice is saved at once; the server's answer, good or bad, is shown at the bottom of the window. */
export function BrowsingProtectionForm() {
  const { protection, change } = useBrowsingProtection();
  const headingId = useId();
  return (
    <section className="card stack" aria-labelledby={headingId}>
      <h2 id={headingId}>{messages.heading}</h2>
      <Loading of={protection} height={1020}>
        {(saved) => <Fields saved={saved} change={change} />}
      </Loading>
    </section>
  );
}

function Fields({ saved, change }: { saved: BrowsingProtection; change: (to: Partial<BrowsingProtection>) => Promise<unknown> }) {
  const hintId = useId();
  const lossesId = useId();
  const enhancedId = useId();
  const { form, shown, choose } = useAskedChoice(saved, change, messages.saved);
  const { browsers, resolver, notification_origins } = shown;
  const chooseResolver = (to: ResolverChoice) =>
    choose({ resolver: to }, to === 'network' ? messages.resolver.ask(messages.resolver.label[resolver]) : null);
  return (
    <Form state={form} onSubmit={() => undefined} label={messages.heading} alert="sticky">
      <Choice
        kind="switch"
        name="browsers"
        label={messages.browsers.label}
        hint={messages.browsers.hint}
        checked={browsers}
        onChange={(on) => void choose({ browsers: on }, on ? null : messages.browsers.ask)}
      />
      <section aria-labelledby={lossesId}>
        <h3 id={lossesId}>{messages.browsers.takes_away.heading}</h3>
        <ul>
          {messages.browsers.takes_away.list.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
      </section>
      <section aria-labelledby={enhancedId}>
        <h3 id={enhancedId}>{messages.browsers.enhanced.heading}</h3>
        {messages.browsers.enhanced.body.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </section>
      {browsers && (
        <WebsiteList
          sites={notification_origins.map(withoutScheme)}
          read={readSite}
          max={limits.notification_origins_max}
          words={messages.origins}
          disabled={form.loading}
          onChange={(sites, done) => choose(originsOf(sites), 'added' in done ? messages.origins.ask(done.added) : null)}
        />
      )}
      <fieldset className="plain resolvers" aria-describedby={hintId}>
        <legend className="label">{messages.resolver.legend}</legend>
        <p id={hintId} className="soft">
          {messages.resolver.hint}
        </p>
        {resolvers.map((one) => (
          <Choice
            key={one}
            kind="radio"
            name="resolver"
            label={messages.resolver.label[one]}
            hint={messages.resolver.means[one]}
            checked={one === resolver}
            onChange={() => void chooseResolver(one)}
          />
        ))}
      </fieldset>
    </Form>
  );
}
