import { join } from 'node:path'
import { bundleIfStale, startSources } from './program/bundle.ts'

/** What `npm start` starts. Without the development packages it starts the sources, as every other command does. */
const root = join(import.meta.dirname, '..')
const place = { root, folder: join(root, 'node_modules/.cache/entrepot-program') }

await bundleIfStale(place, async (out) => {
  const { bundleProgram } = await import('./program/bundle-program.ts')
  await bundleProgram(root, out)
}).catch(async (error: unknown) => {
  await startSources(place)
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  if (!isMissing) process.stdout.write(`The program is started as sources: ${error}\n`)
})
