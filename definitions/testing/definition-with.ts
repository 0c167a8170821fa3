import { type Definition, definition } from '../format.ts';

type Draft = Partial<Omit<Definition, 'programs' | 'outgoing'>> & {
  programs?: Partial<Definition['programs']>;
  outgoing?: Partial<Definition['outgoing']>;
};

/** A definition that passes the check when `programs` has a mark or `domains` is not empty. */
export function definitionWith(identifier: string, { programs = {}, ...otherFields }: Draft = {}): Definition {
  const facts = Object.keys({ ...programs, ...otherFields }).filter(
    (field) => field in programs || ['services', 'domains', 'site_patterns'].includes(field),
  );
  return definition.parse({
    identifier,
    name: identifier.toUpperCase(),
    category: 'RemoteControl',
    allowlistable: otherFields.category !== 'ScamWebsite',
    programs,
    help: {
      what_it_is: `Lets someone else see the screen, in the manner of ${identifier.split('').join(' ')}.`,
      what_to_do: 'Hang up the phone, and ask someone whom you know.',
    },
    sources: [{ name: 'Made up for a test', facts: facts.length > 0 ? facts : ['names'] }],
    ...otherFields,
  });
}
