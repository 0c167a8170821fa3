import { fold } from './fold.ts';

const folded = (text: string) => text.trim().split(/\s+/).map(fold);

/**
 * How file managers name a copy, in some 35 languages: `AnyDesk – Kopie (2)`, `AnyDesk (3. kopia)`, `Copie de AnyDesk`. The words are those of
 * Windows and macOS, and of the translations of GNOME Files (`Copy`, `Copy %zu`) and Caja (` (copy)`, ` (another copy)`).
 */
const copyWords = new Set(
  folded(`copy kopie copie copia cópia còpia kopia kopian kopi kopio kópia másolat másolata kopya kopyası kopija preslika koopia
  αντίγραφο копия копія копие копија умножак копіяй копія עותק העתק نسخة نسخه رونوشت คัดลอก สำเนา สำเนาที่ sao salinan कॉपी प्रतिलिपि
  コピー 副本 复件 拷贝 拷貝 複製 复制 복사본 사본`),
);
/** In the languages of these words a name never follows without a preposition, so that `Copy AnyDesk` is another program. */
const beforePreposition = new Set(folded('copy copie copia cópia còpia kopi'));
const prepositions = new Set(folded('of von van de del di do da af av του από от на של من của'));
/** Words for `another` and of ordinal numbers; the names of most file managers have figures alone. */
const counters = new Set(
  folded(`another noch eine weitere autre otra altra outra una tweede andere kolejna ytterligare annan endnu en annen toinen další ďalšia
  még egy altă diğer başka και άλλο другая инша інша второ други druga dodatna kita cita vēl viena veel üks beste bat נוסף מספר أخرى
  دیگر bản chép khác thứ एक और 다른 ke a я а 第`),
);
/** Written without blanks: `AnyDeskのコピー2`, `另一个副本`. */
const unspacedEnding = /(?:の?コピー|副本|复件|拷贝|拷貝|複製|복사본|사본)[ _]?\d{0,3}$/;

/** Longer names of copies are in no language. */
const MAX_LENGTH = 40;
const separators = String.raw`[\s()[\]_~\-\u2010-\u2015]`;
const endingSeparators = new RegExp(`${separators}{1,4}$`);
const lastWord = new RegExp(`(?:^|${separators})([^\\s()[\\]_~\\-\\u2010-\\u2015]+)${separators}{0,4}$`);
const firstWord = new RegExp(`^${separators}{0,4}([^\\s()[\\]_~\\-\\u2010-\\u2015]+)${separators}{1,4}`);

const isCopyWord = (word: string) => copyWords.has(word) || unspacedEnding.test(word.slice(-MAX_LENGTH));
const isCounter = (word: string) => counters.has(word) || /^\d{1,3}\D{0,4}$/.test(word);

/** `name`: folded, without an extension. Null when it is not the name of a copy. */
export function withoutCopyWords(name: string): string | null {
  return withoutEnding(name) ?? withoutBeginning(name);
}

function withoutEnding(name: string): string | null {
  const start = Math.max(0, name.length - MAX_LENGTH);
  let rest = name.slice(start);
  let original: string | null = null;
  for (let found = lastWord.exec(rest); found?.[1] && found.index > 0; found = lastWord.exec(rest)) {
    const isCopy = isCopyWord(found[1]);
    if (!isCopy && !isCounter(found[1])) break;
    rest = rest.slice(0, found.index).replace(endingSeparators, '');
    // What counts copies may also be in front of the word: `3. kopia`, `noch eine Kopie`.
    if (isCopy || original !== null) original = rest;
  }
  original ??= unspacedEnding.test(rest) ? rest.replace(unspacedEnding, '').replace(endingSeparators, '') : null;
  return original ? name.slice(0, start) + original : null;
}

function withoutBeginning(name: string): string | null {
  let rest = name.slice(0, MAX_LENGTH);
  let [copyWord, hasPreposition]: [string | null, boolean] = [null, false];
  for (let found = firstWord.exec(rest); found?.[1] && !hasPreposition; found = firstWord.exec(rest)) {
    const [whole, word] = found;
    if (copyWord !== null && prepositions.has(word)) hasPreposition = true;
    else if (isCopyWord(word)) copyWord = word;
    else if (!isCounter(word)) break;
    rest = rest.slice(whole.length);
  }
  if (copyWord === null) return null;
  const elision = /^d['\u2019]/.exec(rest)?.[0] ?? '';
  if (!hasPreposition && !elision && beforePreposition.has(copyWord)) return null;
  return rest.slice(elision.length) + name.slice(MAX_LENGTH) || null;
}
