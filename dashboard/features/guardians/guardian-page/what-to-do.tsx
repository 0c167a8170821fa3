import { messages } from './what-to-do-messages.ts';

export function WhatToDo({ name }: { name: string }) {
  return (
    <ol className="steps">
      {messages.steps(name).map(({ lead, text }) => (
        <li key={lead}>
          <strong>{lead}</strong>
          <br />
          {text}
        </li>
      ))}
    </ol>
  );
}
