import { hash } from 'node:crypto'
import { digest, randomSecret } from '../../lib/secret.ts'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from '../integrations/integration.ts'
import { destroyStates, findUsedState, insertState, takeState } from './install-state-store.ts'

/**
 * One trip to the platform and back. The state that travels with the browser is a random secret: valid once, for ten
 * minutes, for the type of service it was made for; what it stands for (integration, shop, where to go afterwards, the PKCE
 * verifier) never leaves us.
 */
export interface Trip {
  integrationId: number
  type: string
  shop: string
  returnUrl: string | null
  codeVerifier: string | null
}

const minutes = 10

export const statePlace = (integrationId: number, stateHash: Buffer): string =>
  `install_states|sealed|${integrationId}|${stateHash.toString('hex')}`

export async function beginTrip(
  db: Db,
  keys: KeyRing,
  integration: Pick<Integration, 'id' | 'type' | 'shop'>,
  options: { returnUrl: string | null; pkce: boolean },
): Promise<{ state: string; codeChallenge: string | null }> {
  const state = randomSecret()
  const stateHash = digest(state)
  const codeVerifier = options.pkce ? randomSecret(64) : null
  await destroyStates(db, integration.id)
  await insertState(db, {
    state_hash: stateHash,
    integration_id: integration.id,
    channel: integration.type,
    shop: integration.shop,
    return_url: options.returnUrl,
    sealed: codeVerifier === null ? null : seal(keys, codeVerifier, statePlace(integration.id, stateHash)),
    minutes,
  })
  return { state, codeChallenge: codeVerifier === null ? null : challengeOf(codeVerifier) }
}

/** S256 of RFC 7636. */
const challengeOf = (verifier: string): string => hash('sha256', verifier, 'buffer').toString('base64url')

/** Null for a state that is unknown, old, used or of another type; nobody learns which. */
export async function endTrip(db: Db, keys: KeyRing, type: string, state: string): Promise<Trip | null> {
  const stateHash = digest(state)
  const taken = await takeState(db, stateHash, type)
  if (!taken) return null
  return {
    integrationId: taken.integration_id,
    type: taken.channel,
    shop: taken.shop,
    returnUrl: taken.return_url,
    codeVerifier: taken.sealed && open(keys, taken.sealed, statePlace(taken.integration_id, stateHash)),
  }
}

/** The integration of a trip that has just ended, and where its browser wants to go. */
export async function readEndedTrip(
  db: Db,
  type: string,
  state: string,
): Promise<Pick<Trip, 'integrationId' | 'returnUrl'> | null> {
  const used = await findUsedState(db, digest(state), type)
  return used && { integrationId: used.integration_id, returnUrl: used.return_url }
}
