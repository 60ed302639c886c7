import { readExpression } from '../../lib/expressions/expression.ts'
import type { FieldErrors } from '../../lib/fault.ts'
import { isZone } from '../wire/local-time.ts'
import { badFormat, merged, mustBe, repeated, required } from './complaints.ts'
import { type Definition, definitionSchema } from './definition.ts'
import { type Format, type Place, pathPattern } from './place.ts'
import { type FoundText, placesIn } from './places-in.ts'

const maxMappings = 200

/** Names that lead to what every object has. */
const forbiddenNames = new Set(['__proto__', 'prototype', 'constructor'])

/** Every place in a record that the definition names: not too many, and none that leads out of it. */
export function placeErrors(definition: Definition): FieldErrors {
  const { texts, spelled } = placesIn(definitionSchema, definition, 'definition')
  return merged([
    ...texts.map(textErrors),
    ...spelled.map(({ at, place }) => spelledErrors(at, place)),
    ...(texts.length > maxMappings
      ? [{ definition: [`The definition field must not have more than ${maxMappings} mappings.`] }]
      : []),
  ])
}

const leadsOut = (path: string) => path.split('.').some((name) => forbiddenNames.has(name))

function textErrors({ at, kind, text }: FoundText): FieldErrors {
  if (kind === 'path')
    return leadsOut(text) ? badFormat(at, `None of its names may be ${[...forbiddenNames].join(', ')}.`) : {}
  if (kind === 'select') {
    const read = readExpression(text)
    return typeof read === 'string' ? mustBe(at, read) : {}
  }
  const inner = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const wrong = inner.find((name) => !new RegExp(pathPattern).test(name) || leadsOut(name))
  if (wrong !== undefined) return badFormat(at, `"{${wrong}}" is no place in a record.`)
  return inner.length === 0 ? badFormat(at, 'It must hold places in braces: "{first} {last}".') : {}
}

const sources = ['at', 'select', 'template', 'value'] as const

function spelledErrors(at: string, place: Exclude<Place, string>): FieldErrors {
  const given = sources.filter((source) => place[source] !== undefined)
  if (given.length !== 1) return mustBe(at, `must have exactly one of ${sources.join(', ')}`)
  return zoneErrors(place, at)
}

const zoneErrors = ({ zone }: { zone?: string }, at: string): FieldErrors =>
  zone === undefined || isZone(zone)
    ? {}
    : badFormat(`${at}.zone`, 'It must be the IANA name of a zone, such as Europe/Paris.')

/** Local times are read by somebody's clock: it has to be said by whose. */
export function formatErrors(definition: Definition): FieldErrors {
  const { orders, products, inventory } = definition
  const whole = definition.format ?? {}
  const { spelled } = placesIn(definitionSchema, definition, 'definition')
  const parts = Object.entries({ orders, products, inventory })
  const withFormat = parts.flatMap(([name, part]) =>
    part?.format ? [{ at: `definition.${name}.format`, format: part.format }] : [],
  )
  const missing = (format: Format, at: string) =>
    format.time === 'local' && (format.zone ?? whole.zone) === undefined ? [required(`${at}.zone`)] : []
  const zoneOf = (at: string) => parts.find(([name]) => at.startsWith(`definition.${name}.`))?.[1]?.format?.zone
  return merged([
    zoneErrors(whole, 'definition.format'),
    ...missing(whole, 'definition.format'),
    ...withFormat.flatMap(({ at, format }) => [zoneErrors(format, at), ...missing(format, at)]),
    ...spelled.flatMap(({ at, place }) => (zoneOf(at) === undefined ? missing(place, at) : [])),
  ])
}

type Table = readonly { theirs: string; ours: string }[]

export function tableErrors({ orders, products }: Definition): FieldErrors {
  const tables: [string, Table | undefined, boolean][] = [
    ['definition.orders.statuses', orders?.statuses, false],
    ['definition.orders.payment_statuses', orders?.payment_statuses, orders?.fields.payment_status !== undefined],
    [
      'definition.orders.fulfillment_statuses',
      orders?.fulfillment_statuses,
      orders?.fields.fulfillment_status !== undefined,
    ],
    ['definition.products.statuses', products?.statuses, products?.fields.status !== undefined],
  ]
  return merged([
    ...tables.map(([place, table, needed]) =>
      table
        ? repeated(
            table.map(({ theirs }) => theirs),
            place,
            'theirs',
          )
        : needed
          ? required(place)
          : {},
    ),
    cancelWordErrors(orders),
  ])
}

/** A word that we write must be one that we can read: else an order is cancelled there and not understood here. */
function cancelWordErrors(orders: Definition['orders']): FieldErrors {
  const status = orders?.fields.status
  const path = typeof status === 'object' ? status.at : status
  return merged(
    (orders?.cancel?.body ?? []).flatMap(({ path: target, value }, n) => {
      if (target !== path || value === undefined) return []
      const known = orders?.statuses.find(({ theirs }) => theirs === String(value) || theirs === '*')
      if (known?.ours === 'cancelled') return []
      const at = `definition.orders.cancel.body.${n}.value`
      return [mustBe(at, 'must be a word that definition.orders.statuses translates to cancelled')]
    }),
  )
}

export function currencyErrors({ format = {}, orders, products }: Definition): FieldErrors {
  const priced = products?.variants.fields
  const missing = (own: Format | undefined, currency: Place | undefined, money: Place | undefined) =>
    (own?.currency ?? format.currency ?? currency) === undefined &&
    (typeof money === 'object' && money.money ? money.money : (own?.money ?? format.money)) !== 'with_currency'
  return merged([
    ...(orders && missing(orders.format, orders.fields.currency, orders.fields.total)
      ? [required('definition.orders.fields.currency')]
      : []),
    ...((priced?.price ?? priced?.compare_at_price) !== undefined &&
    missing(products?.format, priced?.currency, priced?.price)
      ? [required('definition.products.variants.fields.currency')]
      : []),
  ])
}
