import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, parseMasterKeys } from './config.ts'
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
    try {
      await file.writeFile(`k1:${randomBytes(32).toString('base64')}\n`)
      await file.sync()
    } catch (error) {
      // Where the disk is full, the next start begins anew.
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readKeys(path)
}

async function readKeys(path: string): Promise<KeyRing> {
  for (let attempt = 0; ; attempt++) {
    const entries = (await readFile(path, 'utf8')).split(/[\s,]+/).filter((entry) => entry !== '')
    // Empty only in the moment between creating and writing it.
    if (entries.length > 0) return parseMasterKeys(entries)
    if (attempt > 100) throw isEmpty(path)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const isEmpty = (path: string) =>
  new ConfigError(
    `${path} is empty. If the very first start was cut off, remove the file and start again; otherwise put it back from the backup of the keys.`,
  )
