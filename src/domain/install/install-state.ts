import { hash } from 'node:crypto'
import type { Exchanged } from '../../commerce/connector/auth.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { digest, randomSecret } from '../../lib/secret.ts'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from '../integrations/integration.ts'
import {
  bindState,
  deleteState,
  destroyStates,
  findState,
  insertState,
  resealState,
  takeState,
} from './install-state-store.ts'

/**
 * One trip to the platform and back. The state that travels with the browser is a random secret: valid once, for ten
 * minutes, for the type of service it was made for; what it stands for (integration, shop, where to go afterwards, the PKCE
 * verifier) never leaves us. Anybody can be sent to the platform with it, so it takes more to come back: the browser in
 * which the trip was begun, or a token that opens the integration.
 */
export interface Trip {
  integrationId: number
  type: string
  shop: string
  returnUrl: string | null
  /** The page of the platform. */
  address: string
  codeVerifier: string | null
  /** Keys that the shop has posted, and that open it. */
  handed: HandedKeys | null
}

export interface HandedKeys extends Exchanged<AnyFields, AnyFields> {
  granted: readonly string[] | null
}

/** By what somebody shows to have begun a trip: the secret in the browser's cookie, or the integration that a token opens. */
export type Beginner = { browser: string } | { integrationId: number }

const minutes = 10

type Kept = Pick<Trip, 'address' | 'codeVerifier' | 'handed'>

export const statePlace = (integrationId: number, stateHash: Buffer): string =>
  `install_states|sealed|${integrationId}|${stateHash.toString('hex')}`

export async function beginTrip(
  db: Db,
  keys: KeyRing,
  integration: Pick<Integration, 'id' | 'type' | 'shop'>,
  trip: {
    returnUrl: string | null
    pkce: boolean
    addressWith: (way: { state: string; codeChallenge: string | null }) => string
  },
): Promise<string> {
  const state = randomSecret()
  const stateHash = digest(state)
  const codeVerifier = trip.pkce ? randomSecret(64) : null
  const address = trip.addressWith({ state, codeChallenge: codeVerifier === null ? null : challengeOf(codeVerifier) })
  const kept: Kept = { address, codeVerifier, handed: null }
  await destroyStates(db, integration.id)
  await insertState(db, {
    state_hash: stateHash,
    integration_id: integration.id,
    channel: integration.type,
    shop: integration.shop,
    return_url: trip.returnUrl,
    sealed: seal(keys, JSON.stringify(kept), statePlace(integration.id, stateHash)),
    minutes,
  })
  return state
}

/** S256 of RFC 7636. */
const challengeOf = (verifier: string): string => hash('sha256', verifier, 'buffer').toString('base64url')

/** A trip that has not ended; null for a state that is unknown, old or used. It opens nothing. */
export async function readTrip(db: Db, keys: KeyRing, state: string): Promise<(Trip & { departed: boolean }) | null> {
  const stateHash = digest(state)
  const found = await findState(db, stateHash)
  return found && { ...tripIn(keys, stateHash, found), departed: found.departed }
}

/** The browser with this secret goes to the platform, and is the one to come back. */
export const departFrom = (db: Db, state: string, browser: string): Promise<void> =>
  bindState(db, digest(state), digest(browser))

/** Keys that came from the shop wait for whoever began the trip. False for a second time. */
export async function keepHanded(db: Db, keys: KeyRing, state: string, handed: HandedKeys): Promise<boolean> {
  const stateHash = digest(state)
  const found = await findState(db, stateHash)
  if (!found) return false
  const { address, codeVerifier, handed: before } = tripIn(keys, stateHash, found)
  if (before !== null) return false
  const kept: Kept = { address, codeVerifier, handed }
  const sealed = seal(keys, JSON.stringify(kept), statePlace(found.integration_id, stateHash))
  return await resealState(db, stateHash, { was: found.sealed, sealed })
}

/** Null for a state that is unknown, old, used, of another type or of another beginner; nobody learns which. */
export async function endTrip(
  db: Db,
  keys: KeyRing,
  state: string,
  { type, beginner }: { type: string; beginner: Beginner },
): Promise<Trip | null> {
  const stateHash = digest(state)
  const holder = 'browser' in beginner ? { browserHash: digest(beginner.browser) } : beginner
  const taken = await takeState(db, stateHash, { type, holder })
  return taken && tripIn(keys, stateHash, taken)
}

/** Ends a trip that nobody may complete any longer; whose it was. */
export const dropTrip = (db: Db, type: string, state: string): Promise<number | null> =>
  deleteState(db, digest(state), type)

function tripIn(
  keys: KeyRing,
  stateHash: Buffer,
  { integration_id, channel, shop, return_url, sealed }: NonNullable<Awaited<ReturnType<typeof takeState>>>,
): Trip {
  const kept: Kept = JSON.parse(open(keys, sealed, statePlace(integration_id, stateHash)))
  return { integrationId: integration_id, type: channel, shop, returnUrl: return_url, ...kept }
}
