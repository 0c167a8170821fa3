import { domainToUnicode } from 'node:url';
import { type CompiledNames, shortest_inside, type Word } from './compile.ts';
import { knownWords, longest_known, longest_word } from './known-words.ts';
import { misspelled } from './misspelled.ts';
import { type Place, placeOf } from './place.ts';
import { plainText } from './skeletons.ts';
import { soundOf } from './sound-of.ts';
import { soundsLike } from './sounds.ts';

/** `address`: `brand.com-anything.top` and `brand.com.anything.top`. */
export type TrickShape = 'label' | 'hyphens' | 'inside' | 'action' | 'digits' | 'look_alike' | 'misspelled' | 'address' | 'free_host';
/** `brand`: its name as people know it; of a money site its domain. */
export interface Trick {
  brand: string;
  why: TrickShape;
}

/** What the letters beside a brand's name are. */
interface Beside {
  asks: boolean;
  isTopic: boolean;
  isAbout: boolean;
  /** Nothing but known words and digits. */
  isKnown: boolean;
  hasDigits: boolean;
  isNothing: boolean;
  /** Two letters, as the codes of countries and languages have. */
  isCode: boolean;
  /** Scraps that mean nothing: `g0x`, `wa-cn`. */
  isScraps: boolean;
}

/** `https`, `www`, and what looks like them. */
const address_like = /^(?:https?|[vw]{3,6}|[vw]{2,4}[nr])$/;

function besides(pieces: string[], names: CompiledNames): Beside {
  const cut = pieces.map((piece) => (names.about.has(piece) ? null : knownWords(piece, names)));
  const known = cut.flatMap((words) => words ?? []);
  const ends = pieces.flatMap((piece, at) => (cut[at] ? [] : edgesOf(piece, names)));
  const words = [...known, ...ends];
  return {
    asks: words.some((word) => names.actions.has(word)) || pieces.some((piece) => address_like.test(piece)),
    isTopic: words.some((word) => names.topics.has(word)),
    isAbout: pieces.some((piece) => names.about.has(piece)) || ends.some((word) => names.about.has(word)),
    isKnown: cut.every((words) => words !== null),
    hasDigits: pieces.some((piece) => /\d/.test(piece)),
    isNothing: pieces.length === 0,
    isCode: pieces.length === 1 && pieces[0]?.length === 2,
    isScraps: pieces.length === 2 && pieces.every((piece) => piece.length <= 3),
  };
}

const shortest_edge = 4;

/** The longest known word at each end of letters that are otherwise unknown. */
function edgesOf(piece: string, { actions, topics, about }: CompiledNames): string[] {
  const isWord = (word: string) => actions.has(word) || topics.has(word) || about.has(word);
  const edges: string[] = [];
  for (const edge of [(length: number) => piece.slice(0, length), (length: number) => piece.slice(-length)]) {
    for (let length = Math.min(longest_known, piece.length); length >= shortest_edge; length -= 1) {
      if (!isWord(edge(length))) continue;
      edges.push(edge(length));
      break;
    }
  }
  return edges;
}

interface Found {
  word: Word;
  how: 'whole' | 'token' | 'edge' | 'inside';
  /** What is left of the label. */
  rest: string[];
  /** The letters of the label are not quite those of the brand. */
  disguise: 'digits' | 'look_alike' | 'misspelled' | null;
  /** Only a misspelled word may be unsure: see `Misspelled`. */
  isSure?: boolean;
}

/** A label as the eye reads it. */
interface Reading {
  tokens: string[];
  disguise: Found['disguise'];
}

const readDigits: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };

function readingsOf(label: string, { latin }: CompiledNames): Reading[] {
  if (label.startsWith('xn--')) {
    const shown = domainToUnicode(label);
    const skeleton = Array.from(plainText(shown), (character) => latin.get(character) ?? character).join('');
    return [{ tokens: tokensOf(skeleton), disguise: 'look_alike' }];
  }
  const readings: Reading[] = [{ tokens: tokensOf(label), disguise: null }];
  const digitsRead = label.replace(/[0134578]/g, (digit) => readDigits[digit] ?? digit);
  if (/[a-z]/.test(label)) {
    const spellings = new Set([digitsRead, digitsRead.replaceAll('rn', 'm'), digitsRead.replaceAll('vv', 'w'), label.replaceAll('1', 'i')]);
    spellings.delete(label);
    for (const spelling of spellings) readings.push({ tokens: tokensOf(spelling), disguise: 'digits' });
  }
  return readings;
}

const tokensOf = (label: string) => label.split('-').filter((token) => token !== '');

/** More brands than this in one label are somebody's attempt to keep us busy. */
const most_found = 24;

/** Every brand in a reading of a label, the most certain first. */
function* brandsIn({ tokens, disguise }: Reading, { words }: CompiledNames): Generator<Found> {
  const whole = words.get(tokens.join(''));
  if (whole) yield { word: whole, how: 'whole', rest: [], disguise };
  for (let count = Math.min(4, tokens.length - 1); count >= 1; count -= 1) {
    for (let start = 0; start + count <= tokens.length; start += 1) {
      const word = words.get(tokens.slice(start, start + count).join(''));
      if (word) yield { word, how: 'token', rest: [...tokens.slice(0, start), ...tokens.slice(start + count)], disguise };
    }
  }
  for (const [at, token] of tokens.entries()) {
    for (let start = 0; start + 3 <= token.length; start += 1) {
      for (let end = token.length; end >= start + 3; end -= 1) {
        const word = end - start < token.length && end - start <= longest_word ? words.get(token.slice(start, end)) : undefined;
        if (!word || word.partOf.some((longer) => token.includes(longer))) continue;
        const rest = [token.slice(0, start), token.slice(end)].filter((piece) => piece !== '');
        yield {
          ...{ word, disguise },
          how: start === 0 || end === token.length ? 'edge' : 'inside',
          rest: [...tokens.slice(0, at), ...rest, ...tokens.slice(at + 1)],
        };
      }
    }
  }
}

function* misspelledIn({ tokens }: Reading, names: CompiledNames): Generator<Found> {
  for (const [at, token] of tokens.entries()) {
    const found = misspelled(token, names);
    if (found) yield { ...found, how: tokens.length === 1 ? 'whole' : 'token', rest: tokens.toSpliced(at, 1), disguise: 'misspelled' };
  }
}

/** `geminiloogin`: in rented names the words beside the brand are misspelled too. */
const soundsLikeAction = (piece: string) => /lgn|wlt/.test(soundOf(piece));

interface Around {
  /** The label was registered or rented; those before it cost nothing and prove less. */
  isOwn: boolean;
  /** Whether another label asks for something: `netflix.login.example.com`. */
  asksElsewhere: () => boolean;
}

/** Whether the label proves a trick. */
function shapeOf(
  { word, how, rest, disguise, isSure = true }: Found,
  { isCheap, isFree }: Place,
  { isOwn, asksElsewhere }: Around,
  names: CompiledNames,
): TrickShape | null {
  const beside = besides(rest, names);
  const { proves, text } = word;
  const asks = beside.asks || (beside.isTopic && (proves !== 'with_action' || isCheap));
  const isAbout = beside.isAbout && !beside.asks;
  const isLong = text.length >= shortest_inside;
  if (disguise !== null) return isDisguised() ? disguise : null;
  // Companies name their partners in front of their own names: `sync-amazon.example.com`.
  if (!isOwn && !isCheap && !(how === 'whole' ? isAskedFor() : proves === 'alone' && (beside.asks || isCase()))) return null;
  const plain = isPlain();
  return plain && isFree && isOwn && asks ? 'free_host' : plain;

  function isAskedFor(): boolean {
    return proves !== 'with_action' && text.length >= 5 && asksElsewhere();
  }

  /** `inpost-10942605`, `paypay-card`. */
  function isCase(): boolean {
    return how === 'token' && text.length >= 4 && beside.isKnown && (beside.isTopic || rest.some((piece) => /^\d{5,}$/.test(piece)));
  }

  function isDisguised(): boolean {
    if (how === 'whole')
      return (isOwn || isCheap) && text.length >= 5 && (isCheap || (isSure && (proves !== 'with_action' || disguise === 'look_alike')));
    if (isAbout) return false;
    if (how === 'token') return text.length >= 5 && (asks || (isCheap && proves !== 'with_action') || (isLong && proves === 'alone'));
    return isLong && proves !== 'with_action' && (asks || isCheap || proves === 'alone');
  }

  function isPlain(): TrickShape | null {
    if (how === 'whole' && !isOwn) return proves === 'alone' || (isCheap ? !isFree : isAskedFor()) ? 'label' : null;
    if (how === 'whole') return isCheap && proves !== 'with_action' && (!isFree || proves === 'alone') ? 'label' : null;
    if (isAbout) return null;
    if (how === 'token') {
      if (asks) return 'hyphens';
      if (proves === 'alone')
        return isCheap || isCase() || (isOwn && (text.length >= 5 || (beside.isKnown && beside.hasDigits))) ? 'hyphens' : null;
      return proves === 'with_topic' && isOwn && !isFree && (isCheap || (beside.isCode && text.length >= 5) || (beside.isScraps && isLong))
        ? 'hyphens'
        : null;
    }
    if (isLong && proves === 'alone' && (isOwn || isCheap || beside.asks)) return 'inside';
    if (how === 'edge' && proves === 'alone' && isFree && isOwn && text.length >= 6) return 'inside';
    if (how === 'edge' && isFree && isOwn && text.length >= 5 && rest.some(soundsLikeAction)) return 'free_host';
    if (how === 'inside' && proves === 'alone' && text.length >= 5 && isOwn && beside.isKnown && beside.asks) return 'action';
    if (
      how === 'edge' &&
      beside.isKnown &&
      asks &&
      (text.length >= 4 || proves === 'alone') &&
      (beside.asks || isCheap || (proves === 'alone' && (text.length >= 5 || rest.length > 1)))
    )
      return 'action';
    if (isLong && proves === 'with_topic' && (beside.asks || (isCheap && asks && beside.isKnown))) return 'action';
    return text.length >= 5 && how === 'edge' && proves === 'alone' && isCheap && beside.isKnown ? 'action' : null;
  }
}

/** The brand whose whole address the name begins with: `usps.com-track.top`, `paypal.com.login.top`, `ohio.gov-fines.top`. */
function addressIn({ labels, isCheap, isFree }: Place, { imitated, words }: CompiledNames): string | undefined {
  for (let at = 0; at + 1 < labels.length; at += 1) {
    const word = words.get(labels[at] ?? '');
    if (word?.proves === 'alone' && at + 2 < labels.length && labels[at + 1] === 'com') return word.brand;
    for (const count of [2, 3]) {
      const address = labels.slice(at, at + count).join('.');
      const brand = imitated.get(address) ?? imitated.get(address.replace(/-[^.]*$/, ''));
      if (brand !== undefined) return brand;
    }
  }
  if (!isCheap || isFree || !labels.at(-1)?.startsWith('gov-')) return undefined;
  const state = labels.at(-2);
  return state === undefined || state === 'www' ? words.get('gov')?.brand : `${state}.gov`;
}

/**
 * A brand's name in a site that is not the brand's, in a way that honest sites do not have it (P16.2), or null. `host`: canonical. Takes
 * microseconds for ordinary names, and under five milliseconds for the longest.
 */
export function trickIn(host: string, names: CompiledNames): Trick | null {
  const place = placeOf(host, names);
  if (!place) return null;
  const address = addressIn(place, names);
  if (address !== undefined) return { brand: address, why: 'address' };
  for (const [at, label] of place.labels.entries()) {
    const isOwn = at === place.labels.length - 1;
    const undisguised = label.replaceAll('-', '');
    const around = {
      isOwn,
      asksElsewhere: () => place.labels.some((other, index) => index !== at && besides(tokensOf(other), names).asks),
    };
    for (const reading of readingsOf(label, names)) {
      let tried = 0;
      for (const found of brandsIn(reading, names)) {
        tried += 1;
        if (tried > most_found) break;
        if (reading.disguise === 'digits' && (names.innocent.has(undisguised) || undisguised.includes(found.word.text))) continue;
        const why = shapeOf(found, place, around, names);
        if (why) return { brand: found.word.brand, why };
      }
    }
    const sounds = isOwn && place.isFree ? soundsLike(label, names) : null;
    if (sounds) return { brand: sounds.brand, why: 'free_host' };
    if (!isOwn && !place.isCheap) continue;
    for (const reading of readingsOf(label, names).slice(0, 1)) {
      for (const found of misspelledIn(reading, names)) {
        const why = shapeOf(found, place, around, names);
        if (why) return { brand: found.word.brand, why };
      }
    }
  }
  return null;
}
