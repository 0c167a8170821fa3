/** Who is called, as the holder reads it. */
export interface Called {
  /** `Mum`, `the person who uses Den PC` or `you`. */
  name: string;
  is_reader: boolean;
}

const who = ({ name, is_reader }: Called) => (is_reader ? 'me' : name);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const messages = {
  heading: ({ name }: Called) => `If nobody answers, may we call ${name}?`,
  explain: (called: Called) =>
    called.is_reader
      ? 'We call now to ask. You say yes by pressing 1. Later we call only if we stop a scammer and nobody answers us.'
      : `We call now to ask. To say yes, ${called.name} presses 1. Later we call only if we stop a scammer and nobody answers us.`,
  call: (called: Called) => `Call ${who(called)} now to ask`,
  callAgain: (called: Called) => `Call ${who(called)} again`,
  calling: ({ name }: Called, number: string) => `Calling ${name} at ${number}. Press 1 there to say yes.`,
  agreed: (called: Called, number: string) =>
    called.is_reader ? `You agreed to be called at ${number}.` : `${capital(called.name)} agreed to be called at ${number}.`,
  withdraw: ({ name }: Called) => `Don’t call ${name} anymore`,
  withdrawn: ({ name }: Called) => `We won’t call ${name} anymore.`,
  refused: (number: string) => `${number} asked us not to call or text. To change that, text START to us from that phone.`,
  unanswered: ({ name }: Called) => `We called ${name}, and nobody pressed 1. Nothing has changed.`,
  numberMissing: (called: Called) =>
    called.is_reader ? 'Save and confirm your phone number in your profile first.' : `Save a phone number for ${called.name} first.`,
  profile: 'Go to my profile',
};
