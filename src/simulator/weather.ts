import { hostileShares } from './hostile.ts'
import { isFields } from './json.ts'
import { draws, mix } from './random.ts'

/** What a request may meet, one of these at most, and how often when the weather is rough: shares from 0 to 1. */
const requestShares = {
  /** 429 with Retry-After. */
  throttled: 0.02,
  /** 429 without. */
  throttled_bare: 0.01,
  error_500: 0.01,
  error_502: 0.01,
  error_503: 0.01,
  /** No answer: the connection is held for `hold_ms` and then dropped. */
  timeout: 0.002,
  /** The body drips for `slow_ms`. */
  slow_body: 0.005,
  /** The body ends before its announced length. */
  truncated_body: 0.01,
  /** Status 200 with a page for people. */
  html_200: 0.005,
  /** The token sent has just ended, before its time. */
  expired_token: 0.005,
  ...hostileShares,
}

const otherShares = {
  /** A refresh has happened and its answer never arrives. Token calls meet no other loss: it would end the grant. */
  lost_token_answers: 0,
  /** 1: a refresh token that was used works until its successor is used, as at some platforms. */
  refresh_grace: 0,
  /** While a list is read, something already read moves to its end. */
  shift_while_paging: 0.05,
  /** While everything is read, something not yet read is deleted. */
  vanish_while_paging: 0.005,
  duplicate_webhooks: 0.1,
  reordered_webhooks: 0.1,
  /** The share of orders (and products) whose messages never arrive. */
  lost_webhooks: 0.05,
}

const measures = {
  hold_ms: 10_000,
  slow_ms: 2000,
  retry_after_seconds: 1,
  /** How much wider the platform's limits are than in real life. */
  limit_scale: 1,
}

const rough = { ...requestShares, ...otherShares, ...measures }
export type Weather = typeof rough
export type FaultName = keyof Weather
export type RequestFault = keyof typeof requestShares

const isFaultName = (name: string): name is FaultName => Object.hasOwn(rough, name)
const isRequestFault = (name: string): name is RequestFault => Object.hasOwn(requestShares, name)

const calm: Weather = { ...rough, limit_scale: 100 }
for (const name of Object.keys({ ...requestShares, ...otherShares })) if (isFaultName(name)) calm[name] = 0

export const presets: Readonly<Record<'calm' | 'rough', Weather>> = { calm, rough }

export const requestFaults = Object.keys(requestShares).filter(isRequestFault)

export type WeatherSource = ReturnType<typeof createWeather>

export function createWeather(seed: number, weather: Weather) {
  let now = weather
  // A row of its own for requests: how they are answered does not change what the next ones meet.
  let faults = draws(mix(seed, 9_000_017))
  let dice = draws(mix(seed, 9_000_011))
  return {
    now: () => now,
    set(next: Weather): void {
      now = next
      // The same weather set twice does the same twice.
      faults = draws(mix(seed, 9_000_017))
      dice = draws(mix(seed, 9_000_011))
    },
    /** What the next request meets. */
    forRequest(): RequestFault | null {
      let roll = faults.next()
      for (const fault of requestFaults) {
        roll -= now[fault]
        if (roll < 0) return fault
      }
      return null
    },
    chance: (fault: FaultName): boolean => now[fault] > 0 && dice.chance(now[fault]),
    get dice() {
      return dice
    },
  }
}

/** The weather asked for: a preset, what it changes of it, or both. A sentence if it makes no sense. */
export function readWeather(asked: unknown, now: Weather): Weather | string {
  if (!isFields(asked)) return 'The weather is a JSON object.'
  const { preset, ...rest } = asked
  if (preset !== undefined && preset !== 'calm' && preset !== 'rough') return 'A preset is "calm" or "rough".'
  const next = { ...(preset === undefined ? now : presets[preset]) }
  for (const [name, value] of Object.entries(rest)) {
    if (!isFaultName(name)) return `There is no "${name}" in the weather.`
    const most = name in measures ? 1e9 : 1
    if (typeof value !== 'number' || !(value >= 0 && value <= most)) return `"${name}" is a number from 0 to ${most}.`
    next[name] = value
  }
  return next
}
