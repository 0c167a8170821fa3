import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenLetter, writeLetter } from '../../lib/letter.ts';
import { firstName } from '../../lib/words.ts';

/** The first mail that a guardian gets; also the one with a link anew. */
export function invitationLetter(guardian: string, holder: string, url: string): WrittenLetter {
  const name = firstName(holder);
  return writeLetter({
    subject: `${name} asks you to be a guardian`,
    heading: `${firstName(guardian)}, ${name} trusts you`,
    paragraphs: [
      `${name} uses ${brand.name}, which stops phone scammers from getting into a computer. ${name} asks you to be a guardian.`,
      'When something happens, we write to you at once, and say what to do. It costs nothing, and you see nothing private.',
      'Nobody you know by that name? Then ignore this mail.',
    ],
    button: { label: `Look out for ${name}`, url },
  });
}

export function linkAgainLetter(guardian: string, holder: string, url: string): WrittenLetter {
  const name = firstName(holder);
  return writeLetter({
    subject: `Your link to look out for ${name}`,
    heading: `Here is your link again, ${firstName(guardian)}`,
    paragraphs: [`With it you see how ${name} is doing. Older links no longer work. Please keep this one to yourself.`],
    button: { label: `See how ${name} is`, url },
  });
}
