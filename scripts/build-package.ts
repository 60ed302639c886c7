import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

/** `src` without its types, in `dist`: what `npm pack` puts into the package. Beside `src`, so that paths lead to the same files. */
const root = join(import.meta.dirname, '..')
await rm(join(root, 'dist'), { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '--project', join(root, 'tsconfig.package.json')], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1

// The command line asks instances by the client library, which is a package of its own: it comes along as one file.
await build({
  root: join(root, 'packages/client'),
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: join(root, 'dist/client'),
    target: 'node20',
    minify: false,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' },
  },
})
