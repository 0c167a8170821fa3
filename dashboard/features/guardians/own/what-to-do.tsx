import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { t } from './texts.ts';

type Devices = GuardianView['devices'];

/** What to do and to say while it may still be going on, for whoever uses the computer that it happened on (P8.2). `device`: its name. */
export function WhatToDo({ holder, device, devices }: { holder: string; device: string; devices: Devices }) {
  const { whom, number } = atComputer(holder, device, devices);
  return (
    <section className="card stack" aria-labelledby="what-to-do">
      <h2 id="what-to-do">{t.now.heading}</h2>
      {number && (
        <a className="btn big" href={`tel:${number}`}>
          {t.now.call(whom)}
        </a>
      )}
      <ol className="steps">
        {t.now.steps(whom, number).map(({ lead, text }) => (
          <li key={lead}>
            <strong>{lead}</strong>
            <br />
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Two computers may have one name: then only what is said of both is known. */
function atComputer(holder: string, device: string, devices: Devices): { whom: string; number: string } {
  const [first, ...others] = devices.filter(({ name }) => name === device).map(({ person }) => person);
  const same = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  if (!same) return { whom: t.now.someone(device), number: '' };
  if (!first || first.is_holder) return { whom: holder, number: '' };
  return { whom: first.name || t.now.someone(device), number: first.phone_number };
}
