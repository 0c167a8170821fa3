/** The commands of a scheduled task, as Windows writes it (Task Scheduler schema). Tasks that are switched off have none. */
export function parseTask(xml: string): string[] {
  const text = xml.replace(/<!--.*?-->/gs, '');
  const settings = /<Settings>(.*?)<\/Settings>/s.exec(text)?.[1] ?? '';
  if (/<Enabled>\s*false\s*<\/Enabled>/i.test(settings)) return [];
  return [...text.matchAll(/<Exec\b[^>]*>(.*?)<\/Exec>/gs)].flatMap(([, exec = '']) => {
    const part = (name: string) => plain(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(exec)?.[1] ?? '');
    const command = part('Command').replaceAll('"', '');
    return command === '' ? [] : [`"${command}" ${part('Arguments')}`.trim()];
  });
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole).trim();
}
