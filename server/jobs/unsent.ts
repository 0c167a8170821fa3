/**
 * What a failure to send something is about:
 * - `server`: the carrier is not there, or lets us say nothing at all; nobody's mail could have gone.
 * - `us`: it took us for somebody who may not send: an operator can mend it, if it is so for everyone.
 * - `address`: it says in so many words that the recipient does not exist.
 * - `recipient`: it says that the recipient cannot take anything just now, as a mailbox that is full.
 * - `mail`: it refused for good and did not say what.
 * - `later`: it refused for now and did not say what.
 * - `unclear`: it said nothing, or the line was cut.
 */
export type About = 'server' | 'us' | 'address' | 'recipient' | 'mail' | 'later' | 'unclear';

/** What a log may say of a failure: never an address, a name or anybody's words. `code`: the enhanced status code (RFC 3463), or the carrier's own number. */
export interface FailureFacts {
  status?: number;
  code?: string;
  command?: string;
}

/** A handler throws it for a message that the carrier did not take. `to`: the recipient; `why`: one word, which the dashboard explains. */
export class Unsent extends Error {
  readonly about: About;
  readonly to: string;
  readonly facts: FailureFacts;
  readonly why: string;

  constructor(about: About, to: string, message: string, { facts = {}, why = 'refused' }: { facts?: FailureFacts; why?: string } = {}) {
    super(message);
    this.about = about;
    this.to = to.toLowerCase();
    this.facts = facts;
    this.why = why;
  }
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
