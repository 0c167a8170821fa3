import { useId, useState } from 'react';
import { Field } from './field.tsx';
import './website-list.css';

export interface WebsiteListProps {
  sites: string[];
  /** The typed text as a website of the list; null if it is none. */
  read: (typedText: string) => string | null;
  max: number;
  words: {
    heading: string;
    hint: string;
    field: string;
    add: string;
    button: string;
    remove: (site: string) => string;
    notAWebsite: string;
    known: string;
    full: (max: number) => string;
  };
  disabled: boolean;
  /** Resolves to whether the list was saved. */
  onChange: (sites: string[], change: { added: string } | { removed: string }) => Promise<boolean>;
}

/** Websites that a person adds and removes one by one, each saved at once. */
export function WebsiteList({ sites, read, max, words, disabled, onChange }: WebsiteListProps) {
  const headingId = useId();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const problemOf = (site: string | null) => {
    if (site === null) return words.notAWebsite;
    if (sites.includes(site)) return words.known;
    return sites.length >= max ? words.full(max) : undefined;
  };
  const add = async () => {
    const site = read(typed);
    const found = problemOf(site);
    setProblem(found);
    if (site === null || found !== undefined) return;
    if (await onChange([...sites, site], { added: site })) setTyped('');
  };
  return (
    <section className="website-list" aria-labelledby={headingId}>
      <h3 id={headingId}>{words.heading}</h3>
      <p className="soft">{words.hint}</p>
      {sites.length > 0 && (
        <ul className="plain">
          {sites.map((site) => (
            <li key={site} className="row">
              <span className="grow">{site}</span>
              <button
                type="button"
                className="btn quiet"
                disabled={disabled}
                aria-label={words.remove(site)}
                onClick={() => void onChange(without(sites, site), { removed: site })}
              >
                {words.button}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label={words.field}
        name={`website-${headingId}`}
        value={typed}
        onChange={setTyped}
        problem={problem}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          void add();
        }}
      />
      <button type="button" className="btn quiet" disabled={disabled} onClick={() => void add()}>
        {words.add}
      </button>
    </section>
  );
}

const without = (sites: string[], removed: string) => sites.filter((site) => site !== removed);
