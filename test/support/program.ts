import { compose, type Program } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import { loadMasterKeys } from '../../src/keys.ts'
import { createLog } from '../../src/runtime/log.ts'

/** What a process is started with, as its environment says it. */
export type Settings = Readonly<Record<string, string>>

/**
 * The program from settings, without vitest around it: for proofs and benchmarks. One that does not serve lends its
 * context, to make tenants and tokens that servers with the same settings understand.
 */
export async function openProgram(
  settings: Settings,
  { serves = false, works = false }: { serves?: boolean; works?: boolean } = {},
): Promise<Program> {
  const config = readConfig(settings)
  return await compose({
    config,
    databaseUrl: config.databaseUrl ?? '',
    keys: await loadMasterKeys(config),
    log: createLog(config.logLevel),
    serves,
    works,
  })
}

const never = '1000000000'

/** Limits that nobody reaches. */
export const unlimited: Settings = {
  RATE_LIMIT_USER: never,
  RATE_LIMIT_CLIENT: never,
  RATE_LIMIT_ACCOUNT: never,
  RATE_LIMIT_TOKEN: never,
  RATE_LIMIT_FAILED: never,
  RATE_LIMIT_REFUSED: never,
  RATE_LIMIT_PAGE: never,
  CONNECTIONS_PER_ADDRESS: never,
}
