import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, parseMasterKeys } from './config.ts'
import type { KeyRing } from './lib/secret-box.ts'

/**
 * The master keys: given by the environment, or made once and kept in the data folder beside the embedded database.
 * Losing them loses every sealed credential, which is why the file is named in the operating guide's backup list.
 */
export async function loadMasterKeys(config: Pick<Config, 'masterKeys' | 'dataDir'>): Promise<KeyRing> {
  if (config.masterKeys) return config.masterKeys
  const path = join(config.dataDir, 'master-keys')
  await mkdir(config.dataDir, { recursive: true })
  try {
    // 'wx': of several processes that start together one makes the key, the others read it.
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`k1:${randomBytes(32).toString('base64')}\n`)
    await file.sync()
    await file.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readKeys(path)
}

async function readKeys(path: string): Promise<KeyRing> {
  for (let attempt = 0; ; attempt++) {
    const entries = (await readFile(path, 'utf8')).split(/[\s,]+/).filter((entry) => entry !== '')
    // Empty only in the moment between creating and writing it.
    if (entries.length > 0 || attempt > 100) return parseMasterKeys(entries)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
