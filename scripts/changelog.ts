/** The changelog as what it is made of: a heading for each version, the newest first, and above them what is not released. */

const unreleased = '## Unreleased'

/** What stands below the heading of a version. */
export function notesOf(changelog: string, version: string): string {
  const isHeading = (line: string) => line === `## ${version}` || line.startsWith(`## ${version} `)
  const lines = changelog.split('\n')
  const start = lines.findIndex(isHeading)
  if (start === -1) throw new Error(`CHANGELOG.md has no heading "## ${version}".`)
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
  return lines
    .slice(start + 1, length === -1 ? undefined : start + 1 + length)
    .join('\n')
    .trim()
}

/** What was unreleased gets a version and a day. */
export function released(changelog: string, version: string, day: string): string {
  if (notesOf(changelog, 'Unreleased') === '') throw new Error('There is nothing unreleased in CHANGELOG.md.')
  return changelog.replace(unreleased, `${unreleased}\n\n## ${version} (${day})`)
}

/** Whether `next` is a version that comes after `now`; both as three numbers. */
export function comesAfter(next: string, now: string): boolean {
  const numbers = (version: string) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number)
  const [a, b] = [numbers(next), numbers(now)]
  if (!a || !b) return false
  const place = a.findIndex((number, at) => number !== b[at])
  return place !== -1 && (a[place] ?? 0) > (b[place] ?? 0)
}
