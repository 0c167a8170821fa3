import { messages } from './messages.ts';

/** What to do and to say while it may still be going on. */
export function WhatToDo({ name }: { name: string }) {
  return (
    <ol className="steps">
      {messages.now.steps(name).map(({ lead, text }) => (
        <li key={lead}>
          <strong>{lead}</strong>
          <br />
          {text}
        </li>
      ))}
    </ol>
  );
}
