import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** By PATH, or in one of these folders, which may be patterns; of several versions the newest. Null where it is not installed. */
export function findProgram(name: string, elsewhere: readonly string[] = []): string | null {
  const versions = globSync(elsewhere).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versions]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}
