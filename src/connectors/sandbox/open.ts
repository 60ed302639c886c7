import type { Granted, Opened } from '../../commerce/connector-auth.ts'
import { isFields } from '../../commerce/reading.ts'
import { credentialsRefused, isCredentialsRefusal, refused } from '../../commerce/remote.ts'
import { Fault, invalid, invalidField } from '../../lib/fault.ts'
import type { Dialect } from './dialect.ts'
import { dialectOf } from './dialects.ts'
import { type Credentials, type DialectName, dialectNames, type SandboxShop, type Settings } from './settings.ts'

/** Finds out how the shop speaks, whether all it needs was typed, and gets tokens where it takes nothing else. */
export async function openSandbox(shop: SandboxShop): Promise<Opened<Settings, Credentials>> {
  const settings = await settingsOf(shop)
  const known = { ...shop, settings }
  const dialect = dialectOf(known)
  checkNeeds(dialect, shop.credentials)
  const { access_token: token, expires_at: expiresAt = null } = shop.credentials
  if (!dialect.renew || token !== undefined) return { settings, credentials: shop.credentials, expiresAt }
  return { settings, ...(await naming(dialect, dialect.renew(known))) }
}

export async function proveSandbox(shop: SandboxShop): Promise<void> {
  const dialect = dialectOf(shop)
  await naming(dialect, dialect.prove(shop))
}

export async function renewSandbox(shop: SandboxShop): Promise<Granted<Credentials>> {
  const { renew } = dialectOf(shop)
  if (!renew) throw credentialsRefused([], 'The shop does not take the keys.')
  return await renew(shop)
}

async function settingsOf({ settings, remote }: SandboxShop): Promise<Settings> {
  if (settings.base_url === undefined || settings.dialect !== undefined) return settings
  try {
    const { status, body } = await remote.request({ method: 'GET', path: '/_about', timeoutSeconds: 10 })
    const told = status === 200 && isFields(body) ? body['dialect'] : null
    if (!isDialect(told)) throw refused('There is no simulator at this address.')
    return { ...settings, dialect: told }
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'upstream_refused') throw error
    throw invalidField('settings.base_url', error.message)
  }
}

const isDialect = (word: unknown): word is DialectName => dialectNames.some((name) => name === word)

function checkNeeds({ needs }: Dialect, credentials: Credentials): void {
  const missing = needs.filter((name) => credentials[name] === undefined)
  if (missing.length === 0) return
  const say = (name: string) => [`The credentials.${name.replaceAll('_', ' ')} field is required.`]
  throw invalid(Object.fromEntries(missing.map((name) => [`credentials.${name}`, say(name)])))
}

/** A refusal names the fields that somebody typed, and those alone. */
async function naming<T>({ needs }: Dialect, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw isCredentialsRefusal(error) ? credentialsRefused(needs) : error
  }
}
