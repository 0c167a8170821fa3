export type Fault = 'server' | 'us' | 'address' | 'recipient' | 'mail' | 'later' | 'unclear';

/** No address, name or message text. `code`: the enhanced status code (RFC 3463), or the carrier's own number. */
export interface FailureFacts {
  status?: number;
  code?: string;
  command?: string;
}

/** The carrier did not accept the message. `why`: one word, which the dashboard explains. */
export class Unsent extends Error {
  readonly about: Fault;
  readonly to: string;
  readonly facts: FailureFacts;
  readonly why: string;

  constructor(
    about: Fault,
    recipient: string,
    message: string,
    { facts = {}, why = 'refused' }: { facts?: FailureFacts; why?: string } = {},
  ) {
    super(message);
    this.about = about;
    this.to = recipient.toLowerCase();
    this.facts = facts;
    this.why = why;
  }
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
