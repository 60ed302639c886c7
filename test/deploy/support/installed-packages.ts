import { copyFile, link, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'

interface Lock {
  packages: Readonly<Record<string, { version?: string; integrity?: string; optional?: true; link?: true }>>
}

const readLock = async (path: string): Promise<Lock> => JSON.parse(await readFile(path, 'utf8'))

/** What `npm ci` has written about what it put there. */
const ofInstalled = 'node_modules/.package-lock.json'

/** Whether the packages of a repository are those that its lock file says, each in the same version and with the same content. */
export async function areInstalled(root: string): Promise<boolean> {
  const { packages: wanted } = await readLock(join(root, 'package-lock.json'))
  const { packages: there } = await readLock(join(root, ofInstalled)).catch((): Lock => ({ packages: {} }))
  const areSame = Object.entries(there).every(
    ([path, { version, integrity }]) => wanted[path]?.version === version && wanted[path]?.integrity === integrity,
  )
  // What is for other machines is left out.
  const isMissing = ([path, { optional, link }]: [string, Lock['packages'][string]]) =>
    path.startsWith('node_modules/') && !optional && !link && there[path] === undefined
  return areSame && !Object.entries(wanted).some(isMissing)
}

/** The same packages elsewhere: the files have another name there, and are not copied. */
export async function linkPackages(root: string, workdir: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(workdir, 'node_modules')]
  await linkTree(from, to, (name) => name === '.bin' || !name.startsWith('.'))
  // npm writes this one anew where it stands.
  await copyFile(join(root, ofInstalled), join(workdir, ofInstalled))
}

async function linkTree(from: string, to: string, isWanted: (name: string) => boolean = () => true): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (!isWanted(entry.name)) continue
    if (entry.isDirectory()) await linkTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    // On another disk it has to be a copy.
    else await link(source, target).catch(() => copyFile(source, target))
  }
}
