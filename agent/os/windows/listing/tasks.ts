/** Commands of a task in the Task Scheduler schema. Empty when it is disabled. Reads a hostile file once from its start to its end. */
export function parseTask(xml: string): string[] {
  const text = withoutComments(xml);
  const [settings = ''] = contentsOf('Settings', text);
  if (contentsOf('Enabled', settings).some((enabled) => enabled.trim().toLowerCase() === 'false')) return [];
  return contentsOf('Exec', text).flatMap((exec) => {
    const readElement = (name: string) => decodeEntities(contentsOf(name, exec)[0] ?? '');
    const command = readElement('Command').replaceAll('"', '');
    return command === '' ? [] : [`"${command}" ${readElement('Arguments')}`.trim()];
  });
}

function withoutComments(xml: string): string {
  const [first = '', ...others] = xml.split('<!--');
  return first + others.map((comment) => comment.slice((comment + '-->').indexOf('-->') + 3)).join('');
}

/** The contents of each element of this name, with or without attributes, in order. Elements of one name do not contain each other here. */
function contentsOf(name: string, text: string): string[] {
  const contents: string[] = [];
  for (let at = 0; ; ) {
    const start = text.indexOf(`<${name}`, at);
    if (start < 0) return contents;
    at = start + 1;
    // Another element whose name only begins like this one.
    if (!/[\s>]/.test(text[start + name.length + 1] ?? '')) continue;
    const open = text.indexOf('>', start);
    const close = open < 0 ? -1 : text.indexOf(`</${name}>`, open);
    if (close < 0) return contents;
    contents.push(text.slice(open + 1, close));
    at = close;
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity).trim();
}
