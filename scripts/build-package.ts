import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** `src` without its types, in `dist`: what `npm pack` puts into the package. Beside `src`, so that paths lead to the same files. */
const root = join(import.meta.dirname, '..')
await rm(join(root, 'dist'), { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '--project', join(root, 'tsconfig.package.json')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
