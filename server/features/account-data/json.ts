import { type AccountExport, type ExportHead, type ExportWriter, leftOut } from './export.ts';

/** The file for programs: an `AccountExport` as JSON, as `JSON.stringify` indents it by two spaces. */
export function accountJson(): ExportWriter {
  const texts: string[] = [];
  let table = '';
  const closeTable = () => {
    if (table) texts.push('\n    ]');
  };
  return {
    begin(head: ExportHead) {
      const text = JSON.stringify(head, null, 2);
      texts.push(`${text.slice(0, text.lastIndexOf('\n}'))},\n  "tables": {`);
    },
    add(name, rows) {
      const isNew = name !== table;
      if (isNew) {
        closeTable();
        texts.push(`${table ? ',' : ''}\n    ${JSON.stringify(name)}: [`);
      }
      table = name;
      const rowTexts = rows.map((row) => `\n${indented(JSON.stringify(row, null, 2), 6)}`);
      texts.push(`${isNew ? '' : ','}${rowTexts.join(',')}`);
    },
    end() {
      closeTable();
      const left_out: AccountExport['left_out'] = leftOut();
      texts.push(`\n  },\n  "left_out": ${indented(JSON.stringify(left_out, null, 2), 2).trimStart()}\n}\n`);
      return texts.join('');
    },
  };
}

/** A line break in a value is `\n` in JSON, so each line of the text is one of the indentation. */
function indented(json: string, spaces: number): string {
  const margin = ' '.repeat(spaces);
  return margin + json.replaceAll('\n', `\n${margin}`);
}
