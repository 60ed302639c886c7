/** What the servers of a test say in their logs that is worth looking at, for whoever has to find out why it failed. */
let lines: string[] = []
const maxLines = 30

export const warnings = {
  write(line: string): void {
    if (lines.length < maxLines) lines.push(line)
  },
}

export function takeWarnings(): string {
  const said = lines.join('')
  lines = []
  return said
}
