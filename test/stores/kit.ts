import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Start kits of real commerce servers lie beside the project: each is a folder with the same four commands. */
const kitsFolder = resolve(process.env['STORES'] ?? join(import.meta.dirname, '../../../shared/stores'))

/** Where the stores live: kept between runs, since installing one takes minutes. */
const homes = resolve(process.env['STORES_HOME'] ?? join(tmpdir(), 'entrepot-real-stores'))

export interface StartedStore {
  /** What the kit tells of it: addresses and credentials. */
  about: Record<string, unknown>
  version: string
  /** So many orders by guests, through the shop's own checkout. */
  order(count: number): Promise<void>
  stop(): Promise<void>
}

export async function startStore(name: 'vendure' | 'medusa', packageName: string): Promise<StartedStore> {
  const kit = join(kitsFolder, name)
  if (!existsSync(join(kit, 'start.sh')))
    throw new Error(`There is no start kit for ${name} in ${kitsFolder}: say where the kits are with STORES.`)
  const home = join(homes, name)
  await mkdir(homes, { recursive: true })
  const env = { ...process.env, STORE_HOME: home }
  const call = async (command: string, args: readonly string[] = []) =>
    await run(command, args, { cwd: kit, env, maxBuffer: 64 * 1024 * 1024 })
  const manifest = join(home, 'node_modules', packageName, 'package.json')
  if (!existsSync(manifest)) await call('./install.sh')
  const { stdout, stderr } = await call('./start.sh')
  const { default: installed } = await import(manifest, { with: { type: 'json' } })
  return {
    about: JSON.parse(stdout),
    version: String(installed.version),
    order: async (count) => {
      await call(process.execPath, ['seed.mjs', String(count)])
    },
    // One that somebody else has started goes on.
    stop: async () => {
      if (!stderr.includes('runs already')) await call('./stop.sh')
    },
  }
}
