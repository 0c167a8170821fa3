import type { CompiledNames, Word } from './compile.ts';
import { editsFrom } from './misspelled.ts';
import { shortest_sound, sound_start, soundOf } from './sound-of.ts';

/**
 * The brand that a token of a rented name begins with, as it sounds: `treizorrlogin.webflow.io`. Scammers make such names up by the
 * hundred, and lists have each of them too late. Null where the label says that it is an exercise or a fan's.
 */
export function soundsLike(label: string, { sounds, exercises }: CompiledNames): Word | null {
  if (exercises.some((word) => label.includes(word))) return null;
  for (const token of label.split('-')) {
    if (token.length < shortest_sound - 1) continue;
    const [first] = token;
    const sound = soundOf(token.slice(0, longest_token));
    for (const { word, sound: wanted } of sounds.get(sound.slice(0, sound_start)) ?? []) {
      if (first !== undefined && word.text.startsWith(first) && sound.startsWith(wanted) && beginsLike(token, word.text)) return word;
    }
  }
  return null;
}

const longest_token = 30;

function beginsLike(token: string, text: string): boolean {
  const edits = text.length >= 8 ? 3 : 2;
  for (let length = text.length - 1; length <= text.length + 2; length += 1)
    if (editsFrom(token.slice(0, length), text) <= edits) return true;
  return false;
}
