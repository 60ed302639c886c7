import { Unreadable } from '../lib/words/unreadable.ts'
import { hidden, notTheShop, type RemoteAnswer, refused } from './remote.ts'
import { shopWords } from './rules/shop-words.ts'
import { say } from './words/say.ts'

/** What a shop sends is read field by field: a record that is not what it should be is an error, never guessed at. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) throw new Unreadable(say('no_record'))
  return value
}

export const fieldsIn = (fields: Fields, name: string): Fields => fieldsOf(fields[name])

export const maybeFields = (fields: Fields, name: string): Fields | null =>
  fields[name] == null ? null : fieldsIn(fields, name)

export function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new Unreadable(say('lacks_field', { name }))
  return value
}

/** Platforms say "nothing" in two ways: null, and an empty text. */
export const maybeText = (fields: Fields, name: string): string | null =>
  fields[name] == null || fields[name] === '' ? null : textIn(fields, name)

export function numberIn(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Unreadable(say('no_whole_number', { name }))
  return value
}

/** Ids that are numbers there are text here. */
export function idIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textIn(fields, name)
}

export function arrayIn(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new Unreadable(say('no_list_in', { name }))
  return value
}

export const recordsIn = (fields: Fields, name: string): readonly Fields[] => arrayIn(fields, name).map(fieldsOf)

/**
 * A time as we write it, in Greenwich and with microseconds: so that times compare as text. Without zone it is meant for
 * Greenwich already. Finer parts than a microsecond are cut off.
 */
export function timeOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(text)
  if (!match) throw new Unreadable(say('no_time', { value: text }))
  const [, day, clock, fraction = '', zone = 'Z'] = match
  const parts = `${fraction.slice(0, 6).padEnd(6, '0')}Z`
  // By far the most are of Greenwich, and there are several in every record.
  if (zone === 'Z') return `${day}T${clock}.${parts}`
  const at = new Date(`${day}T${clock}${zone.replace(/^(...):?/, '$1:')}`)
  if (Number.isNaN(at.getTime())) throw new Unreadable(say('no_time', { value: text }))
  return `${at.toISOString().slice(0, 19)}.${parts}`
}

/** Unix time in seconds, or in thousandths of them. */
export function timeOfUnix(value: number, perSecond: 1 | 1000 = 1): string {
  if (!Number.isSafeInteger(value)) throw new Unreadable(say('no_time', { value }))
  return timeOf(new Date((value * 1000) / perSecond).toISOString())
}

export const timeIn = (fields: Fields, name: string): string => timeOf(textIn(fields, name))

export function maybeTime(fields: Fields, name: string): string | null {
  const text = maybeText(fields, name)
  return text === null ? null : timeOf(text)
}

/** The answer's body, or the shop's reason for not giving one. */
export function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  const reason = (isFields(body) ? shopWords(body) : null) ?? say('rejected')
  if (status === 403) throw hidden(reason)
  // Whoever has the record not says so in the form of its records.
  throw status === 404 && !isFields(body) ? notTheShop(refused(reason)) : refused(reason)
}

/** As `bodyOf`; null where there is no such record. */
export const bodyOrNull = (answer: RemoteAnswer): unknown => (answer.status === 404 ? null : bodyOf(answer))
