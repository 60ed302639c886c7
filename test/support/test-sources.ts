import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Every file of tests and measurements, but for the one that asks. */
export const testSources = (asking: string): string[] =>
  ['test', 'bench', 'src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      // Of the peers, where they are installed.
      .filter((path) => !path.includes('node_modules'))
      .filter((path) => path.endsWith('.ts') && (folder === 'test' || folder === 'bench' || path.endsWith('.test.ts')))
      .map((path) => join(root, folder, path))
      .filter((path) => path !== asking),
  )
