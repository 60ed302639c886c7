import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'

/** Writes the program as a few files into `dist` below that folder: main thread and worker, and what both share. */
export async function bundleProgram(root: string, out: string): Promise<void> {
  // Below node_modules nothing else says so, and each start would have to read every file for a first time to find out.
  await mkdir(out, { recursive: true })
  await writeFile(join(out, 'package.json'), JSON.stringify({ type: 'module' }))
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [whereItWas],
    // Libraries of many small modules come along.
    ssr: { noExternal: ['graphql', 'jose', 'kysely', 'typebox'] },
    build: {
      outDir: join(out, 'dist'),
      ssr: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: { main: join(root, 'src/main.ts'), 'assets/thread': join(root, 'src/compose/worker-thread/thread.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  })
}

/** Each module believes to be where it was. */
const whereItWas: Plugin = {
  name: 'where-it-was',
  transform(code, id) {
    // The thread of the worker is another file of the same few.
    if (!code.includes('import.meta.') || id.endsWith('start-worker-thread.ts')) return null
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.filename', JSON.stringify(id))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}
