import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer } from './peer.ts'

export const folderOf = (peer: Pick<Peer, 'folder'>): string => fileURLToPath(new URL(peer.folder, import.meta.url))

export const howToInstall = (peer: Pick<Peer, 'folder'>): string =>
  `npm install --ignore-scripts --no-package-lock --prefix bench/peers/${peer.folder}`

/** The version that is pinned in its folder and installed there, or why it cannot be measured. */
export async function installedVersion(
  { name, folder, packageName }: Pick<Peer, 'name' | 'folder' | 'packageName'>,
  place = folderOf({ folder }),
): Promise<{ version: string } | { missing: string }> {
  const read = async (path: string) => JSON.parse(await readFile(join(place, path), 'utf8'))
  const wanted: string = (await read('package.json')).dependencies[packageName]
  const found: string | null = await read(`node_modules/${packageName}/package.json`).then(
    ({ version }) => version,
    () => null,
  )
  if (found === wanted) return { version: wanted }
  const here = found === null ? 'is not installed' : `is installed as ${found}, and ${wanted} is pinned`
  return { missing: `not measured: ${name} ${here} (${howToInstall({ folder })})` }
}
