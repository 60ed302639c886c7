import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which version this is: package.json says it, once. */
export const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
)
