import { hash } from 'node:crypto'
import { type Moment, second } from './clock.ts'
import type { Recorder } from './http/call.ts'
import { createTokens, secretFor } from './tokens.ts'
import type { World } from './world.ts'

export interface GrantRules {
  /** What access tokens begin with, and refresh tokens. */
  prefixes: readonly [access: string, refresh: string]
  /** Whether a refresh token works once, and another takes its place. */
  rotates: boolean
  /** Unused for so long a refresh token ends by itself. */
  refreshSeconds: number
}

export interface Granted {
  /** Who was let in. */
  name: string
  accessToken: string
  refreshToken: string
  seconds: number
}

/** What a code was asked for with. */
interface Trip {
  redirect: string
  challenge: string | null
}

interface Refresh {
  name: string
  seconds: number
  endsAt: Moment
  /** The access token that came with its successor, until somebody uses that; null once it has ended for good. */
  successor: string | null | undefined
}

/** Apps that a merchant has let in (OAuth 2): codes, and the tokens that are given for them. */
export function createGrants({ settings, clock, weather }: World, { prefixes, rotates, refreshSeconds }: GrantRules) {
  const { seed } = settings
  const tokens = createTokens(seed, prefixes[0], clock)
  const refreshes = new Map<string, Refresh>()
  const codes = new Map<string, Trip>()
  /** By the access token whose first use ends the refresh token before it. */
  const endedByUse = new Map<string, Refresh>()
  let families = 0
  let minted = 0

  function mint(name: string, seconds: number, kept?: string): Granted {
    const refreshToken = kept ?? `${prefixes[1]}${secretFor(seed, `refresh ${++minted}`)}`
    const endsAt = clock.now() + refreshSeconds * second
    refreshes.set(refreshToken, { name, seconds, endsAt, successor: undefined })
    return { name, accessToken: tokens.mint(name, seconds).token, refreshToken, seconds }
  }
  const digest = (text: string) => hash('sha256', text).slice(0, 32)
  /** Without a life of its own a token does not end. */
  const open = (seconds = settings.tokenSeconds) =>
    mint(`app-${++families}`, seconds === 0 ? Number.POSITIVE_INFINITY : seconds)

  return {
    /** Lets in somebody new. */
    open,
    code(trip: Trip): string {
      const code = secretFor(seed, `code ${++minted}`, 32)
      codes.set(code, trip)
      return code
    },
    /** Null for a code that is none, or not for whoever brings it. */
    redeem(code: string, { redirect, verifier }: { redirect: string; verifier: string }, record: Recorder) {
      const trip = codes.get(code)
      codes.delete(code)
      const verified = !trip?.challenge || hash('sha256', verifier, 'buffer').toString('base64url') === trip.challenge
      if (!trip || !verified || trip.redirect !== redirect) return null
      const granted = open()
      record.caller(granted.name)
      record.effect('token.exchange', granted.name, digest(code))
      return granted
    },
    /** Null for a token that has ended. */
    refresh(token: string, record: Recorder): Granted | null {
      const known = refreshes.get(token)
      const graced = typeof known?.successor === 'string' && weather.now().refresh_grace > 0
      if (!known || known.endsAt <= clock.now() || (known.successor !== undefined && !graced)) return null
      record.caller(known.name)
      if (known.successor) tokens.expire(known.successor)
      const granted = mint(known.name, known.seconds, rotates ? undefined : token)
      if (rotates) {
        known.successor = granted.accessToken
        endedByUse.set(granted.accessToken, known)
      }
      record.effect('token.refresh', known.name, digest(rotates ? token : granted.accessToken))
      return granted
    },
    /** Who an access token stands for; null once it has ended. */
    holder(token: string | null): string | null {
      const ended = token === null ? undefined : endedByUse.get(token)
      const name = tokens.holder(token)
      if (ended && token !== null && name !== null) {
        ended.successor = null
        endedByUse.delete(token)
      }
      return name
    },
    expire: tokens.expire,
    expireAll: tokens.expireAll,
  }
}

export type Grants = ReturnType<typeof createGrants>
