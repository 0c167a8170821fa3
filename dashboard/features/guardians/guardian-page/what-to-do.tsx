import { messages } from './messages.ts';

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
