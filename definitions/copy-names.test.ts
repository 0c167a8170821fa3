import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import { compileSet, matchProgram } from './match.ts';
import { benignPrograms, sharedDataIsThere } from './testing/shared-data.ts';

const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: readCatalogue() });
const matched = (name: string) => matchProgram({ os: 'windows', name }, set)?.identifier ?? null;

/** What Windows, macOS, GNOME Files and Caja make of `AnyDesk.exe`, and browsers of that. */
const copies = `
  AnyDesk - Copy.exe | AnyDesk copy 2.exe | AnyDesk (copy).exe | AnyDesk (another copy).exe | AnyDesk (3rd copy).exe | Copy (2) of AnyDesk.exe
  AnyDesk (Copy 2).exe | AnyDesk - Kopie.exe | AnyDesk – Kopie (2).exe | AnyDesk Kopie 2.exe | AnyDesk (noch eine Kopie).exe | AnyDesk (3. Kopie).exe
  Kopie von AnyDesk.exe | AnyDesk - Copie.exe | AnyDesk (autre copie).exe | AnyDesk (3e copie).exe | Copie de AnyDesk.exe | Copie d'AnyDesk.exe
  Copie d’AnyDesk.exe | AnyDesk - copia.exe | AnyDesk (otra copia).exe | AnyDesk (3.ª copia).exe | Copia de AnyDesk.exe | Copia di AnyDesk.exe
  AnyDesk - Cópia.exe | AnyDesk (outra cópia).exe | Cópia de AnyDesk.exe | AnyDesk (còpia).exe | AnyDesk - kopie (3).exe | AnyDesk (tweede kopie).exe
  Kopie van AnyDesk.exe | AnyDesk — kopia.exe | AnyDesk (2. kopia).exe | Kopia AnyDesk.exe | AnyDesk (2:e kopian).exe | Kopia av AnyDesk.exe
  AnyDesk - Kopi.exe | AnyDesk-kopi.exe | Kopi av AnyDesk.exe | Kopi af AnyDesk.exe | AnyDesk (endnu en kopi).exe | AnyDesk (toinen kopio).exe
  AnyDesk – kópia.exe | AnyDesk (další kopie).exe | AnyDesk - Másolat.exe | AnyDesk (2. másolat).exe | AnyDesk - Kopya.exe | AnyDesk kopyası.exe
  AnyDesk (kopija).exe | AnyDesk (druga preslika).exe | AnyDesk (veel üks koopia).exe | AnyDesk - Αντίγραφο.exe | Αντίγραφο από AnyDesk.exe
  AnyDesk — копия.exe | AnyDesk (копия).exe | AnyDesk (2-я копия).exe | Копия AnyDesk.exe | AnyDesk — копія (2).exe | AnyDesk (второ копие).exe
  AnyDesk (други умножак).exe | AnyDesk - עותק.exe | AnyDesk (עותק מספר 2).exe | עותק של AnyDesk.exe | AnyDesk - نسخة.exe | نسخة من AnyDesk.exe
  AnyDesk (bản sao khác).exe | AnyDesk - Sao chép.exe | AnyDesk (salinan ke-2).exe | AnyDesk - สำเนา.exe | AnyDesk (สำเนาที่ 2).exe | AnyDesk (कॉपी).exe
  AnyDesk - コピー.exe | AnyDeskのコピー2.exe | AnyDesk (3 番目のコピー).exe | AnyDesk (コピー_2).exe | AnyDesk - 副本 (2).exe | AnyDesk副本.exe
  AnyDesk (3-a kopija).exe | AnyDesk（另一个副本）.exe | AnyDesk (第 2 個副本).exe | AnyDesk 拷貝.exe | 复件 AnyDesk.exe | AnyDesk - 複製.exe | AnyDesk - 복사본.exe | AnyDesk (다른 사본).exe
  AnyDesk - Kopie - Kopie.exe | Copie de AnyDesk (1).exe`;

test.each(copies.split(/[|\n]/).flatMap((name) => name.trim() || []))('[P4.2] %s is a copy of AnyDesk', (name) => {
  expect(matched(name)).toBe('anydesk');
});

test.each(
  `Copy AnyDesk.exe | Copie AnyDesk.exe | AnyDesk copier.exe | AnyDesk - Kopierschutz.exe | AnyDeskCopy.exe | AnyDesk - kopiert nichts.exe
  Kopie gegen AnyDesk.exe | Copia senza AnyDesk.exe | AnyDesk copy blocker.exe | AnyDesk (Entferner).exe | no AnyDesk - Kopie.exe
  AnyDesk-remover - Kopie.exe | Kopie.exe | copy.exe | KopiaUI.exe | Kopia.exe | Copy Handler.exe | TeamViewer (copyright).exe | Copia de seguridad.exe | 副本.exe | コピー.exe | AnyDeskコピー機.exe | x - Kopie.exe`
    .split(/[|\n]/)
    .map((name) => name.trim()),
)('[P4.2] %s is no copy of AnyDesk', (name) => {
  expect(matched(name)).toBeNull();
});

test.skipIf(!sharedDataIsThere)('[P4.2] no copy of a harmless program, whatever the language, is found', () => {
  const forms = [
    'Kopie von %',
    '% - コピー',
    '% (другая копия)',
    '%副本',
    'Copia de %',
    '%-host=a.example',
    '%-idcABCDEFGH',
    '%--0niAAAAAAAAA',
  ];
  const programs = benignPrograms().filter(({ os }) => os === 'windows');
  const copied = forms.flatMap((form) => programs.map(({ name }) => form.replace('%', () => name.replace(/\.exe$/i, ''))));
  expect(copied.filter((name) => matched(`${name}.exe`) !== null)).toEqual([]);
  expect(programs.length).toBeGreaterThan(1000);
});

test.each([
  ['TEAMVİEWER.EXE', 'teamviewer'],
  ['TeamVıewer.exe', 'teamviewer'],
  ['teamvi\u0307ewer.exe', 'teamviewer'],
  ['SPLASHTOPSTREAMERİ.EXE', null],
  ['TeamVíewer.exe', null],
])('[P4.2] Turkish letters of %s are folded as on a computer of another language', (name, expected) => {
  expect(matched(name)).toBe(expected);
});

test.each([
  ['rustdesk-host=server.example.net.exe', 'rustdesk'],
  ['rustdesk-host=server.example.net,.exe', 'rustdesk'],
  ['rustdesk-host=rd.example,key=QUJD=,api=https---x,relay=r.example (1).exe', 'rustdesk'],
  ['rustdesk-1.4.2-x86_64-host=rd.example,key=QUJD=.exe', 'rustdesk'],
  ['rustdesk-licensed-0nIt92YuUGbw1WY4VmI6ICdz9GaisX.exe', 'rustdesk'],
  ['rustdesk-licensed---0nIt92YuUGbw1WY4VmI6ICdz9GaisX--.exe', 'rustdesk'],
  ['rustdesk-licensed-0nIt92YuUGbw1WY4VmI6ICdz9GaisX--abc.exe', 'rustdesk'],
  ['rustdesk--9JSbvNmLlxGctFGelJiOiQ3cvhmI7 (1) (2).exe', 'rustdesk'],
  ['TeamViewerQS-idcABCDEFGH.exe', 'teamviewer'],
  ['virtual-host=example.exe', null],
  ['rustdesk-licensed-remover.exe', null],
  ['rustdesk--remover-for-windows.exe', null],
  ['rustdeskhost=example.exe', null],
  ['TeamViewerQS-idcard.exe', null],
])('[P4.2] the settings in the file name %s are no part of the name', (name, expected) => {
  expect(matched(name)).toBe(expected);
});

/** The longest path of Linux, and the longest command line of Windows. */
test.each([4096, 32_767])(
  'a file name of %i characters, however strange, is answered, and is no copy unless it begins like one',
  (length) => {
    const found = matched('notepad.exe');
    const pieces = [
      'a',
      ' ',
      '-',
      '(1)',
      'İ',
      ' - Kopie',
      '副本',
      '-host=',
      '--0ni',
      '-idc1',
      'd’',
      'Copie de ',
      '\u0327\u0301',
      'ﷺ',
      '.exe',
      'а',
    ];
    for (const piece of pieces) {
      const long = piece.repeat(length).slice(0, length);
      expect(matched(long), `${piece}, ${length} characters`).toBe(found);
      expect([found, 'anydesk'], `${piece} behind the name`).toContain(matched(`AnyDesk${long}!`));
    }
  },
);
