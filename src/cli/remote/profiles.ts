import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command.ts'

/** An instance, and the token by which it knows us. */
export interface Profile {
  url: string
  token: string
  /** Whether the device flow gave it: then the command line may end it. */
  issued: boolean
  /** The app that is meant where none is named. */
  app?: number
}

interface Stored {
  current: string
  profiles: Record<string, Profile>
}

const fileIn = (folder: string) => join(folder, 'profiles.json')

export async function readProfiles(folder: string): Promise<Stored> {
  const path = fileIn(folder)
  try {
    // Tokens are nobody else's business: whoever has opened the file to others by mistake has it closed again.
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600)
    const stored = JSON.parse(await readFile(path, 'utf8')) as Partial<Stored>
    if (typeof stored.profiles !== 'object') throw new SyntaxError('no profiles')
    return { current: stored.current ?? 'default', profiles: stored.profiles }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} }
    if (!(error instanceof SyntaxError)) throw error
    throw new CommandError(`${path} cannot be understood. Remove it and sign in again: entrepot login`, {
      exitCode: 1,
      code: 'bad_profiles',
    })
  }
}

/** Written beside and moved into its place, so that nobody ever reads half of it. */
async function writeProfiles(folder: string, stored: Stored): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = fileIn(folder)
  const beside = `${path}.${process.pid}`
  await writeFile(beside, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  await rename(beside, path)
}

/** The one that was signed in last is the one that is meant where none is named. */
export async function keepProfile(folder: string, name: string, profile: Profile): Promise<string> {
  const { profiles } = await readProfiles(folder)
  await writeProfiles(folder, { current: name, profiles: { ...profiles, [name]: profile } })
  return fileIn(folder)
}

export async function forgetProfile(folder: string, name: string): Promise<void> {
  const { current, profiles } = await readProfiles(folder)
  const { [name]: _, ...rest } = profiles
  const [first = 'default'] = Object.keys(rest)
  await writeProfiles(folder, { current: current === name ? first : current, profiles: rest })
}
