import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a generated file follows from. */
export interface Follows {
  /** In words, for whoever opens the file. */
  from: string
  inputs: readonly string[]
}

/**
 * A generated file under a line that names all that it follows from and the file itself: whoever changes either has to generate
 * again, and whether somebody has is found out without generating.
 */
export const headed = (follows: Follows, body: string): string => `${headOf(follows, body)}${body}`

/** Whether generating would change nothing. The path starts at the root of the repository. */
export async function isFresh(path: string, follows: Follows): Promise<boolean> {
  const current = await readFile(join(import.meta.dirname, '..', path), 'utf8').catch(() => '')
  return isHeaded(current, follows)
}

export function isHeaded(text: string, follows: Follows): boolean {
  const end = text.indexOf('\n') + 1
  return end > 0 && text === headed(follows, text.slice(end))
}

function headOf({ from, inputs }: Follows, body: string): string {
  const digest = hash('sha256', [...inputs, body].join('\n')).slice(0, 16)
  return `// Made by \`npm run gen\` from ${from} (${digest}). Do not edit.\n`
}
