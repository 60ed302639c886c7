import { join } from 'node:path'
import { bundleIfStale, startSources, whereItWas } from './program/bundle.ts'

/** What `npm start` starts. Without the development packages it starts the sources, as every other command does. */
const root = join(import.meta.dirname, '..')
const place = { root, folder: join(root, 'node_modules/.cache/entrepot-program') }

await bundleIfStale(place, async (out) => {
  const { build } = await import('vite')
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
}).catch(async (error: unknown) => {
  await startSources(place)
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  if (!isMissing) process.stdout.write(`The program is started as sources: ${error}\n`)
})
