import { hostileFaults } from './hostile.ts'
import { isFields } from './json.ts'
import { type Draws, draws, mix } from './random.ts'

/** What can go wrong, and how often: shares from 0 to 1. */
const calm = {
  /** 429 with Retry-After. */
  throttled: 0,
  /** 429 without. */
  throttled_bare: 0,
  error_500: 0,
  error_502: 0,
  error_503: 0,
  /** No answer: the connection is held for `hold_ms` and then dropped. */
  timeout: 0,
  /** The body drips for `slow_ms`. */
  slow_body: 0,
  /** The body ends before its announced length. */
  truncated_body: 0,
  /** Status 200 with a page for people. */
  html_200: 0,
  /** The token sent has just ended, before its time. */
  expired_token: 0,
  /** A refresh has happened and its answer never arrives. Token calls meet no other loss: it would end the grant. */
  lost_token_answers: 0,
  /** 1: a refresh token that was used works until its successor is used, as at some platforms. */
  refresh_grace: 0,
  /** While a list is read, something already read moves to its end. */
  shift_while_paging: 0,
  /** While everything is read, something not yet read is deleted. */
  vanish_while_paging: 0,
  /** Answers that mean harm: see `hostile.ts`. */
  deep_json: 0,
  huge_body: 0,
  gzip_bomb: 0,
  wrong_charset: 0,
  wrong_length: 0,
  nul_characters: 0,
  huge_numbers: 0,
  huge_strings: 0,
  prototype_keys: 0,
  duplicate_webhooks: 0,
  reordered_webhooks: 0,
  /** The share of orders (and products) whose messages never arrive. */
  lost_webhooks: 0,
  hold_ms: 10_000,
  slow_ms: 2000,
  retry_after_seconds: 1,
  /** How much wider the platform's limits are than in real life. */
  limit_scale: 100,
}

export type Weather = typeof calm
export type FaultName = keyof Weather

const rough: Weather = {
  ...calm,
  throttled: 0.02,
  throttled_bare: 0.01,
  error_500: 0.01,
  error_502: 0.01,
  error_503: 0.01,
  timeout: 0.002,
  slow_body: 0.005,
  truncated_body: 0.01,
  html_200: 0.005,
  expired_token: 0.005,
  shift_while_paging: 0.05,
  vanish_while_paging: 0.005,
  duplicate_webhooks: 0.1,
  reordered_webhooks: 0.1,
  lost_webhooks: 0.05,
  limit_scale: 1,
}

export const presets: Readonly<Record<'calm' | 'rough', Weather>> = { calm, rough }

/** One request meets at most one of these. */
export const requestFaults = [
  'throttled',
  'throttled_bare',
  'error_500',
  'error_502',
  'error_503',
  'timeout',
  'slow_body',
  'truncated_body',
  'html_200',
  'expired_token',
  ...hostileFaults,
] as const satisfies readonly FaultName[]
export type RequestFault = (typeof requestFaults)[number]

export interface WeatherSource {
  now(): Weather
  set(weather: Weather): void
  /** What the next request meets. */
  forRequest(): RequestFault | null
  chance(fault: FaultName): boolean
  dice: Draws
}

export function createWeather(seed: number, weather: Weather): WeatherSource {
  let now = weather
  // A row of its own for requests: how they are answered does not change what the next ones meet.
  let faults = draws(mix(seed, 9_000_017))
  let dice = draws(mix(seed, 9_000_011))
  return {
    now: () => now,
    set(next) {
      now = next
      // The same weather set twice does the same twice.
      faults = draws(mix(seed, 9_000_017))
      dice = draws(mix(seed, 9_000_011))
    },
    forRequest() {
      let roll = faults.next()
      for (const fault of requestFaults) {
        roll -= now[fault]
        if (roll < 0) return fault
      }
      return null
    },
    chance: (fault) => now[fault] > 0 && dice.chance(now[fault]),
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
    const most = name.endsWith('_ms') || name === 'limit_scale' || name === 'retry_after_seconds' ? 1e9 : 1
    if (typeof value !== 'number' || !(value >= 0 && value <= most)) return `"${name}" is a number from 0 to ${most}.`
    next[name] = value
  }
  return next
}

const isFaultName = (name: string): name is FaultName => Object.hasOwn(calm, name)
