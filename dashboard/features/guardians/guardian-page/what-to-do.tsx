import { bankNumber } from '@porchlight/contract/advice.ts';

const messages = {
  steps: (callee: string) => [
    {
      lead: `Call ${callee} now`,
      text: 'Use the number you know, not one that somebody gives you. If it’s busy, try again or go there.',
    },
    {
      lead: 'Ask',
      text: '“Is someone on the phone with you, or moving things on your screen? Did they ask for money, codes, or cards?”',
    },
    { lead: 'Say', text: '“You did nothing wrong. Hang up, and turn the computer off. I’m with you.”' },
    { lead: 'If a bank page was open, or anything was paid', text: `Call the bank together. ${bankNumber}` },
  ],
} as const;

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
