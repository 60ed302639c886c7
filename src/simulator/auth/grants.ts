import { hash } from 'node:crypto'
import { type Moment, second } from '../clock.ts'
import type { Recorder } from '../http/route.ts'
import type { World } from '../world.ts'
import { createTokens } from './tokens.ts'

export interface GrantRules {
  /** What access tokens begin with, and refresh tokens. */
  prefixes: readonly [access: string, refresh: string]
  /** Whether a refresh token works once, and another takes its place. */
  rotates: boolean
  /** Whether one that was used works on until what came of it is used, whatever the weather. */
  graced?: boolean
  /** Unused for so long a refresh token ends by itself. */
  refreshSeconds: number
}

export interface Granted {
  /** Who was let in. */
  name: string
  /** What they may do, in the words of the platform. */
  scope: string
  accessToken: string
  refreshToken: string
  /** How long the access token lives. */
  seconds: number
}

/** What a code was asked for with. */
interface Trip {
  redirect: string
  challenge: string | null
  scope?: string
}

interface Refresh {
  granted: Granted
  endsAt: Moment
  /** What it was exchanged for. */
  next: Granted | null
}

/** Apps that a merchant has let in (OAuth 2): codes, and the tokens that are given for them. */
export function createGrants(world: World, rules: GrantRules) {
  const { settings, clock, weather, secretFor } = world
  const { prefixes, rotates, graced = false, refreshSeconds } = rules
  const tokens = createTokens(world, prefixes[0])
  const refreshes = new Map<string, Refresh>()
  const codes = new Map<string, Trip>()
  const scopes = new Map<string, string>()
  /** By a token, the refresh token that it was given for. */
  const before = new Map<string, string>()
  let minted = 0

  function mint(name: string, seconds: number, kept?: string): Granted {
    const refreshToken = kept ?? `${prefixes[1]}${secretFor(`refresh ${++minted}`)}`
    const accessToken = tokens.mint(name, seconds)
    const granted = { name, scope: scopes.get(name) ?? '', accessToken, refreshToken, seconds }
    refreshes.set(refreshToken, { granted, endsAt: clock.now() + refreshSeconds * second, next: null })
    return granted
  }
  /** Whoever uses a token has received it: the refresh token before it is over. */
  function settle(used: string): void {
    refreshes.delete(before.get(used) ?? '')
    before.delete(used)
  }
  const digest = (text: string) => hash('sha256', text).slice(0, 32)
  /** Without a life of its own a token does not end. */
  const open = (seconds = settings.tokenSeconds, scope = '') => {
    const name = `app-${scopes.size + 1}`
    scopes.set(name, scope)
    return mint(name, seconds === 0 ? Number.POSITIVE_INFINITY : seconds)
  }

  return {
    /** Lets in somebody new. */
    open,
    /** The same, as a connector keeps it. */
    keep(seconds?: number, scope?: string) {
      const { accessToken, refreshToken } = open(seconds, scope)
      return { access_token: accessToken, refresh_token: refreshToken }
    },
    code(trip: Trip): string {
      const code = secretFor(`code ${++minted}`, 32)
      codes.set(code, trip)
      return code
    },
    /** Null for a code that is none, or not for whoever brings it. */
    redeem(code: string, brought: { redirect: string; verifier: string }, record: Recorder, seconds?: number) {
      const trip = codes.get(code)
      codes.delete(code)
      const verified =
        !trip?.challenge || hash('sha256', brought.verifier, 'buffer').toString('base64url') === trip.challenge
      if (!trip || !verified || trip.redirect !== brought.redirect) return null
      const granted = open(seconds, trip.scope)
      record.caller(granted.name)
      record.effect('token.exchange', granted.name, digest(code))
      return granted
    },
    /** Null for a token that has ended. */
    refresh(token: string, record: Recorder): Granted | null {
      const known = refreshes.get(token)
      const used = known?.next && !graced && weather.now().refresh_grace === 0
      if (!known || known.endsAt <= clock.now() || used) return null
      const { name, seconds } = known.granted
      record.caller(name)
      settle(token)
      tokens.expire(known.next?.accessToken ?? '')
      refreshes.delete(known.next?.refreshToken ?? '')
      const granted = mint(name, seconds, rotates ? undefined : token)
      if (rotates) {
        known.next = granted
        before.set(granted.accessToken, token).set(granted.refreshToken, token)
      }
      record.effect('token.refresh', name, digest(rotates ? token : granted.accessToken))
      return granted
    },
    /** Who an access token stands for; null once it has ended. */
    holder(token: string | null): string | null {
      const name = tokens.holder(token)
      if (name !== null && token !== null) settle(token)
      return name
    },
    scopeOf: (name: string): string => scopes.get(name) ?? '',
    expire: tokens.expire,
    expireAll: tokens.expireAll,
    revoke(name: string): void {
      tokens.revoke(name)
      for (const [token, { granted }] of refreshes) if (granted.name === name) refreshes.delete(token)
    },
  }
}

export type Grants = ReturnType<typeof createGrants>
