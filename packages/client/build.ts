import { execFile } from 'node:child_process'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'

/** The package as it is installed: modules of both kinds, and their types, in `dist`. */
const root = import.meta.dirname
const dist = join(root, 'dist')

await rm(dist, { recursive: true, force: true })
for (const [format, ending] of [
  ['es', 'js'],
  ['cjs', 'cjs'],
] as const) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib: { entry: { index: 'src/index.ts', 'webhooks/index': 'src/webhooks/index.ts' }, formats: [format] },
      rolldownOptions: { output: { entryFileNames: `[name].${ending}`, chunkFileNames: `[name]-[hash].${ending}` } },
    },
  })
}

const compiler = join(root, '../../node_modules/typescript-7/bin/tsc')
const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', dist]
await promisify(execFile)(process.execPath, [compiler, '--project', root, ...emit])

// Both kinds of module have types of their own, which name each other by the ending that is theirs.
for await (const file of glob('**/*.d.ts', { cwd: dist })) {
  const path = join(dist, file)
  const text = await readFile(path, 'utf8')
  await writeFile(path, named(text, 'js'))
  await writeFile(path.replace(/\.d\.ts$/, '.d.cts'), named(text, 'cjs'))
}

function named(text: string, ending: string): string {
  return text.replace(/(from\s+|import\()(['"])(\.[^'"]+)\.ts\2/g, `$1$2$3.${ending}$2`)
}
