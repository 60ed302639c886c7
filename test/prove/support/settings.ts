import { type Settings, unlimited } from '../../support/program.ts'
import { pooledAddress } from '../../support/through-pooler.ts'

/** One key for all processes of a run, so that each understands what another has signed and sealed. */
const masterKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`

export const settingsFor = (databaseUrl: string, more: Settings = {}): Settings => ({
  ...addressOf(databaseUrl),
  ENTREPOT_MASTER_KEYS: masterKeys,
  PUBLIC_URL: 'https://entrepot.test',
  LOG_LEVEL: 'warn',
  ...unlimited,
  ...more,
})

function addressOf(databaseUrl: string): Settings {
  const pooled = pooledAddress(databaseUrl)
  return pooled ? { DATABASE_URL: pooled.url, DATABASE_DIRECT_URL: pooled.directUrl } : { DATABASE_URL: databaseUrl }
}
