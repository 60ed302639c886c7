import { setTimeout as sleep } from 'node:timers/promises'
import type { Granted } from '../../commerce/connector/auth.ts'
import type { Connector } from '../../commerce/connector.ts'
import { isCredentialsRefusal, shopAway } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { Fault } from '../../lib/fault.ts'
import { validate } from '../../lib/validation/validate.ts'
import type { Context } from '../context.ts'
import { correctConsent } from '../integrations/consent/consent-store.ts'
import {
  markFailure,
  readCredentials,
  replaceCredentials,
  type StoredCredentials,
} from '../integrations/credentials-store.ts'
import type { Integration } from '../integrations/integration.ts'
import { lockIntegration, setGranted } from '../integrations/integration-store.ts'
import { reportFailure } from '../integrations/move-integration.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { platformClient } from './platform-client.ts'
import { factsOf, shopWith } from './shop-remote.ts'

type FetchContext = Pick<Context, 'db' | 'transaction' | 'keys' | 'connectors' | 'transport' | 'log' | 'record'>

interface Fetching {
  stored: StoredCredentials
  holder: string
  /** The old ones are no good any longer, whatever their age. */
  forced: boolean
}

/**
 * Asks the platform for new credentials and keeps them; called by whoever holds the lease. The old ones where the
 * platform is away and they still count; null where somebody else has replaced them.
 */
export async function fetchCredentials(
  context: FetchContext,
  connector: Connector,
  integration: Integration,
  fetching: Fetching,
): Promise<StoredCredentials | null> {
  const { stored } = fetching
  let granted: Granted<AnyFields>
  try {
    granted = await ask(context, connector, integration, stored)
  } catch (error) {
    return await afterFailure(context, integration, fetching, error)
  }
  const previous = takesPrevious(connector) ? stored.credentials : null
  const kept = await keep(context, integration, { ...granted, previous, version: stored.version })
  if (!kept) return null
  return { ...stored, credentials: granted.credentials, version: stored.version + 1 }
}

const takesPrevious = ({ auth }: Connector): boolean => auth.kind !== 'key_handover' && auth.takesPrevious === true

async function ask(
  context: FetchContext,
  connector: Connector,
  integration: Integration,
  { credentials, previous }: StoredCredentials,
): Promise<Granted<AnyFields>> {
  const { auth } = connector
  if (auth.kind === 'key_handover' || !auth.refresh) throw new TypeError(`${connector.type} has no tokens to refresh.`)
  const { refresh } = auth
  const own = auth.kind === 'oauth2' ? auth.ownClient?.(credentials) : null
  const client = own ?? (await platformClient(context.db, context.keys, connector, integration))
  const facts = factsOf(connector, integration)
  const askWith = (tokens: AnyFields) => refresh(shopWith(context, connector, facts, tokens), client)
  const granted = await askWith(credentials).catch((error: unknown) => {
    if (!isCredentialsRefusal(error) || !takesPrevious(connector) || previous === null) throw error
    return askWith(previous)
  })
  const checked = validate(auth.credentials, granted.credentials)
  if (!checked.ok) throw shopAway(60, new Error('the platform issued tokens of an unexpected shape'))
  return { ...granted, credentials: checked.value }
}

const maxSaves = 9

/** The platform may never give them again, so a database that is away for half a minute must not lose them. */
async function keep(
  context: FetchContext,
  { id }: Integration,
  granted: Parameters<typeof replaceCredentials>[3] & Pick<Granted<AnyFields>, 'scopes' | 'consentEndsAt'>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.transaction(async (trx) => {
        // As it is now: somebody may have claimed it, and the owner is part of the seal.
        const owner = await lockIntegration(trx, id)
        // That a platform gives tokens does not mean that the shop takes them: only the shop's word makes it well again.
        const replaced = await replaceCredentials(trx, context.keys, owner, granted)
        if (replaced && granted.scopes) await setGranted(trx, id, granted.scopes)
        if (replaced && granted.consentEndsAt !== undefined) await correctConsent(trx, id, granted.consentEndsAt)
        return replaced
      })
    } catch (error) {
      if (attempt >= maxSaves) throw error
      await sleep(Math.min(5000, 250 * 2 ** attempt))
    }
  }
}

async function afterFailure(
  context: FetchContext,
  integration: Integration,
  { stored, holder, forced }: Fetching,
  error: unknown,
): Promise<StoredCredentials | null> {
  const { id } = integration
  const now = await readCredentials(context.db, context.keys, integration)
  // A slow one whom somebody has overtaken: its old tokens had to be refused.
  if (now?.version !== stored.version) return null
  await markFailure(context.db, id, holder)
  if (isCredentialsRefusal(error)) {
    await reportFailure(context, id, { reason: 'credentials_rejected', why: logWords('credentials.not_renewed') })
    throw error
  }
  const passing = error instanceof Fault && error.kind === 'upstream_retryable'
  if (!passing) context.log.error({ err: error, integration: id }, 'refreshing tokens failed')
  await appendLog(context.db, id, {
    level: 'warning',
    event: 'credentials.refresh_failed',
    words: logWords(stored.valid ? 'credentials.refresh_failed' : 'credentials.none_valid'),
  })
  if (stored.valid && !forced) return stored
  throw passing ? error : shopAway(30, error)
}
