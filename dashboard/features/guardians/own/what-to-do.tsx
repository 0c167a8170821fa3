import { t } from './texts.ts';

/** What to do and to say while it may still be going on. */
export function WhatToDo({ holder }: { holder: string }) {
  return (
    <section className="card stack" aria-labelledby="what-to-do">
      <h2 id="what-to-do">{t.now.heading}</h2>
      <ol className="steps">
        {t.now.steps(holder).map(({ lead, text }) => (
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
