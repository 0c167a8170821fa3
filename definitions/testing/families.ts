import { type Definition, definition } from '../format.ts';

type Draft = Partial<Omit<Definition, 'programs'>> & { programs?: Partial<Definition['programs']> };

/** A family with nothing in it but what a test says; nothing is wrong with it when the test names a mark or a domain. */
export function family(identifier: string, { programs = {}, ...rest }: Draft = {}): Definition {
  const facts = Object.keys({ ...programs, ...rest }).filter(
    (field) => field in programs || ['services', 'domains', 'site_patterns'].includes(field),
  );
  return definition.parse({
    identifier,
    name: identifier.toUpperCase(),
    category: 'RemoteControl',
    allowlistable: rest.category !== 'ScamWebsite',
    programs,
    help: {
      what_it_is: `Lets someone else see the screen, in the manner of ${identifier.split('').join(' ')}.`,
      what_to_do: 'Hang up the phone, and ask someone whom you know.',
    },
    sources: [{ name: 'Made up for a test', facts: facts.length > 0 ? facts : ['names'] }],
    ...rest,
  });
}
