import { type Settings, unlimited } from '../../support/program.ts'

/** One key for all processes of a run, so that each understands what another has signed and sealed. */
const masterKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`

export const settingsFor = (databaseUrl: string, more: Settings = {}): Settings => ({
  DATABASE_URL: databaseUrl,
  ENTREPOT_MASTER_KEYS: masterKeys,
  PUBLIC_URL: 'https://entrepot.test',
  LOG_LEVEL: 'warn',
  ...unlimited,
  ...more,
})
