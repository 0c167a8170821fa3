import type { PublicDefinition } from '@porchlight/contract/definitions.ts';
import { useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { SupportLink } from '../../ui/support.tsx';
import { messages } from './messages.ts';
import { useFamilies } from './queries.ts';
import { searchFamilies } from './search.ts';
import './definitions.css';

export function WhatWeRecogniseScreen() {
  const families = useFamilies();
  return (
    <div className="wrap narrow stack-l">
      <div>
        <h1>{messages.heading}</h1>
        <p>{messages.lead}</p>
      </div>
      <Loading of={families} height={600}>
        {(allFamilies) => <Families all={allFamilies} />}
      </Loading>
      <p>
        <SupportLink className="alone" />
      </p>
    </div>
  );
}

function Families({ all: allFamilies }: { all: PublicDefinition[] }) {
  const [typedText, setTypedText] = useState('');
  const foundFamilies = searchFamilies(typedText, allFamilies);
  return (
    <div className="stack">
      <Field
        label={messages.search}
        name="search"
        type="search"
        hint={messages.hint}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typedText}
        onChange={setTypedText}
      />
      <p role="status">
        {foundFamilies.length ? messages.count(foundFamilies.length, allFamilies.length) : messages.none(typedText.trim())}
      </p>
      {foundFamilies.length > 0 && (
        <ul className="families">
          {foundFamilies.map((family) => (
            <li key={family.identifier}>
              <FamilyDetails family={family} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FamilyDetails({ family: { name, aliases, category, has_client, what_it_is, what_to_do } }: { family: PublicDefinition }) {
  return (
    <details className="card family">
      <summary>
        <strong>{name}</strong> <span className="soft">{messages.categories[category]}</span>
      </summary>
      {aliases.length > 0 && <p className="soft">{messages.also(aliases)}</p>}
      <h2>{messages.whatItIs}</h2>
      <p>{what_it_is}</p>
      {has_client && (
        <>
          <h2>{messages.whenStopped}</h2>
          <p>{messages.onlyOutgoing}</p>
        </>
      )}
      <h2>{messages.whatToDo}</h2>
      <p>{what_to_do}</p>
    </details>
  );
}
