/** Every function here reads its text a bounded number of times and returns at most `maxLength` characters. */

export const maxLength = 32_768;
const maxVariables = 40;
const maxReplacements = 8;

/** Values that are alike on nearly all computers; commands cut letters out of them. */
const knownValues: Record<string, string> = {
  comspec: 'C:\\WINDOWS\\system32\\cmd.exe',
  windir: 'C:\\WINDOWS',
  systemroot: 'C:\\WINDOWS',
  systemdrive: 'C:',
  programfiles: 'C:\\Program Files',
  programdata: 'C:\\ProgramData',
  allusersprofile: 'C:\\ProgramData',
  public: 'C:\\Users\\Public',
  commonprogramfiles: 'C:\\Program Files\\Common Files',
  os: 'Windows_NT',
  pathext: '.COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC',
  psmodulepath: 'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules',
  pshome: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0',
  shellid: 'Microsoft.PowerShell',
  verbosepreference: 'SilentlyContinue',
  executioncontext: 'System.Management.Automation.EngineIntrinsics',
};

const cut = (text: string) => (text.length > maxLength ? text.slice(0, maxLength) : text);

function collect(text: string, assignment: RegExp, valueAt: number): Map<string, string> {
  const values = new Map<string, string>();
  for (const found of text.matchAll(assignment)) {
    if (values.size >= maxVariables) break;
    values.set((found[1] ?? '').toLowerCase(), found[valueAt] ?? '');
  }
  return values;
}

/** Replaces what is found while the result fits. */
function substitute(text: string, found: RegExp, replacement: (...groups: string[]) => string | undefined): string {
  let length = text.length;
  return cut(
    text.replace(found, (...all) => {
      const groups = all.filter((part): part is string => typeof part === 'string' || part === undefined);
      const [whole = ''] = groups;
      const value = replacement(...groups);
      if (value === undefined || length + value.length > maxLength) return whole;
      length += value.length - whole.length;
      return value;
    }),
  );
}

function slice(value: string, from: string, length: string | undefined): string {
  const start = Number(from) < 0 ? Math.max(0, value.length + Number(from)) : Number(from);
  if (length === undefined) return value.slice(start);
  return value.slice(start, Number(length) < 0 ? value.length + Number(length) : start + Number(length));
}

/** `%name%`, `%name:~2,1%`, `%name:a=b%` and `!name!` with what `set` gave them or what every computer has. */
function expandCmdVariables(text: string): string {
  const own = collect(text, /\bset ["']?([a-z_]\w{0,30})=([^&|\r\n"]{0,2000})/gi, 2);
  const variable = /[%!](\w{1,30})(?::~(-?\d{1,4})(?:,(-?\d{1,4}))?|:([^=%!]{1,20})=([^%!]{0,20}))?[%!]/g;
  return substitute(text, variable, (_whole, name = '', from, length, wanted, other) => {
    const value = own.get(name.toLowerCase()) ?? (from !== undefined || wanted !== undefined ? knownValues[name.toLowerCase()] : undefined);
    // No characters of any variable, which commands write to break up words.
    if (from !== undefined && Number(length) === 0) return '';
    if (value === undefined) return undefined;
    if (from !== undefined) return slice(value, from, length);
    return wanted === undefined ? value : value.split(wanted).join(other ?? '');
  });
}

/** `"{1}{0}" -f 'x','ie'` */
function expandFormats(text: string): string {
  const operator = /-f/gi;
  let result = text;
  for (let round = 0; round < 50; round++) {
    const at = operator.exec(result)?.index;
    if (at === undefined) break;
    const before = result
      .slice(Math.max(0, at - 600), at)
      .trimEnd()
      .replace(/\)$/, '');
    const quote = before.at(-1);
    const opens = quote === '"' || quote === "'" ? before.lastIndexOf(quote, before.length - 2) : -1;
    if (opens === -1) continue;
    const format = before.slice(opens + 1, -1);
    const list = /^ ?\(?((?: ?['"][^'"]{0,200}['"] ?,?){1,60})/.exec(result.slice(at + 2, at + 4_000))?.[1];
    if (list === undefined || !format.includes('{0}')) continue;
    const values = [...list.matchAll(/['"]([^'"]{0,200})['"]/g)].map(([, value = '']) => value);
    const filled = format.replace(/\{(\d{1,2})\}/g, (_whole, index: string) => values[Number(index)] ?? '');
    const start = at - (result.slice(Math.max(0, at - 600), at).length - opens);
    result = cut(`${result.slice(0, start)}'${filled}' ${result.slice(at + 2 + list.length)}`);
    operator.lastIndex = start;
  }
  return result;
}

/** `.Replace('a','b')` and `-replace 'a','b'`, on the whole text. */
function expandReplacements(text: string): string {
  const calls = /(?:\.replace ?\(|-[ci]?replace) ?\(? ?(['"])([^'"]{1,40})\1(?: ?, ?(['"])([^'"]{0,40})\3)?/gi;
  const rounds = [...text.matchAll(calls)].slice(0, maxReplacements);
  let result = text;
  for (const [whole, , wanted = '', , other = ''] of rounds) result = cut(result.split(whole).join(' ').split(wanted).join(other));
  return result;
}

const joinStrings = (text: string) => text.replace(/['"] ?\+ ?['"]/g, '');

/** How Windows' two shells put together what a command hides. */
export function expandWindows(line: string): string {
  let text = line.replace(/[\^`]/g, '').replace(/\s+/g, ' ');
  text = expandCmdVariables(expandCmdVariables(text));
  text = text.replace(
    /\[char\] ?\(? ?(0x[0-9a-f]{1,4}|\d{1,4}) ?\)?/gi,
    (_whole, code: string) => `'${String.fromCharCode(Number(code))}'`,
  );
  text = substitute(
    text,
    /\$\{?(?:env:)?(\w{1,20})\}?(?:\.tostring\(\))?\)?\[ ?(\d{1,3}(?: ?, ?\d{1,3}){0,60}) ?\]/gi,
    (_whole, name = '', indexes = '') => {
      const value = knownValues[name.toLowerCase()];
      return value === undefined
        ? undefined
        : `'${indexes
            .split(',')
            .map((index) => value[Number(index)] ?? '')
            .join('')}' `;
    },
  );
  text = expandReplacements(joinStrings(expandFormats(joinStrings(text))));
  const own = collect(text, /\$(\w{1,30}) ?= ?\(?(['"])([^'"]{0,2000})\2/g, 3);
  if (own.size > 0) text = substitute(text, /\$\{?(\w{1,30})\}?(?! ?=)/g, (_whole, name = '') => own.get(name.toLowerCase()));
  return cut(joinStrings(text));
}

/** How a shell of macOS and Linux puts together what a command hides. */
export function expandUnix(line: string): string {
  const text = line
    .replace(/\$\{?IFS\}?/g, ' ')
    .replace(/\$[@*]/g, '')
    .replace(/\\([0-3][0-7]{2})/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
  const own = collect(text, /(?:^|[;&\s'"(])([a-z_]\w{0,30})=(['"]?)([^'";&|\s]{1,2000})\2/gi, 3);
  if (own.size === 0) return cut(text);
  return substitute(text, /\$\{?(\w{1,30})\}?/g, (_whole, name = '') => own.get(name.toLowerCase()));
}

/** `\x68` and `%68`, in every language. Alone only what an address needs, since other signs divide commands. */
export function expandHex(text: string): string {
  return text
    .replace(/\\x([0-9a-f]{2})/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?:%[0-9a-f]{2}){3,}|%(?:5c|2f|3a|40)/gi, (run) =>
      run.replace(/%(..)/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );
}
