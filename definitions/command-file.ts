/** The program in a command line, without arguments: `"C:\X\a b.exe" /s`, `C:\Program Files\X\a.exe -d`. */
export function commandFile(command: string): { name: string; path: string } {
  const path = fileOf(command.trim());
  return { name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1), path };
}

function fileOf(command: string): string {
  const quoted = /^"([^"]+)"|^'([^']+)'/.exec(command);
  if (quoted) return quoted[1] ?? quoted[2] ?? '';
  // Windows also writes paths with spaces unquoted: the path ends with the file extension.
  const windows = /^(?:\\\?\?\\)?[^"]*?\.(?:exe|com|scr|bat|cmd|msi|dll|sys)(?=$|[\s,"])/i.exec(command)?.[0];
  if (windows) return windows;
  const bundle = /^.*?\.app\/Contents\/MacOS\/\S+/.exec(command)?.[0];
  return bundle ?? command.split(/\s+/)[0] ?? '';
}
