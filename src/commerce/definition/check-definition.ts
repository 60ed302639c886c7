import type { TSchema } from 'typebox'
import { type FieldErrors, invalid } from '../../lib/fault.ts'
import { object } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'
import { type Definition, definitionSchema, type Listing, type Template, writeFields } from './definition.ts'

/** A definition that somebody wrote, or a 422 that says where it is wrong: each complaint at `definition.` and its place. */
export function checkDefinition(written: unknown): Definition {
  const unknown = unknownFields(definitionSchema, written, 'definition')
  const checked = validate(object({ definition: definitionSchema }), { definition: written })
  if (!checked.ok) throw invalid({ ...unknown, ...checked.errors })
  const errors = { ...unknown, ...meaningErrors(checked.value.definition) }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return checked.value.definition
}

const maxMappings = 200

const format = (path: string): FieldErrors => ({ [path]: [`The ${path} field format is invalid.`] })
const required = (path: string): FieldErrors => ({ [path]: [`The ${path} field is required.`] })

type Rules = TSchema & { properties?: Record<string, Rules>; items?: Rules; anyOf?: Rules[] }

/** What nobody reads is a misspelling: left unsaid, a field would silently stay empty. */
function unknownFields(schema: Rules, value: unknown, path: string): FieldErrors {
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? merged(value.map((item, n) => unknownFields(items, item, `${path}.${n}`))) : {}
  }
  const { properties } = schema
  if (!properties || typeof value !== 'object' || value === null) return {}
  return merged(
    Object.entries(value).map(([key, inner]) => {
      const place = `${path}.${key.slice(0, 100)}`
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined
      return known ? unknownFields(known, inner, place) : { [place]: [`The ${place} field is unknown.`] }
    }),
  )
}

const merged = (all: readonly FieldErrors[]): FieldErrors => Object.assign({}, ...all)

/** Names that lead to what every object has. */
const forbiddenNames = new Set(['__proto__', 'prototype', 'constructor'])
/** Headers that say how a message is carried, or for whom. */
const forbiddenHeaders = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'upgrade', 'te', 'trailer'],
  ...['cookie', 'forwarded', 'expect', 'proxy-authorization', 'keep-alive'],
])

function meaningErrors(definition: Definition): FieldErrors {
  const { origin, auth, orders, products, inventory, shipments, proxy } = definition
  const listings = Object.entries({ orders, products, inventory }).flatMap(([name, part]) =>
    part ? [{ place: `definition.${name}.list`, listing: part.list }] : [],
  )
  return merged([
    ...(origin.from === 'fixed' && origin.address === undefined ? [required('definition.origin.address')] : []),
    ...(origin.from !== 'fixed' && origin.address !== undefined ? [prohibited('definition.origin.address')] : []),
    placeholders(origin.base_path ?? '', [], 'definition.origin.base_path'),
    nameErrors(auth),
    ...(listings.length === 0 ? [required('definition.orders')] : []),
    ...listings.map(({ place, listing }) => listErrors(listing, place)),
    placeErrors(definition),
    ...(orders ? [placeholders(orders.get.path, ['id'], 'definition.orders.get.path', ['id'])] : []),
    ...(products?.get ? [placeholders(products.get.path, ['id'], 'definition.products.get.path', ['id'])] : []),
    tableErrors(definition),
    currencyErrors(definition),
    ...(orders?.cancel ? [writeErrors(orders.cancel, 'cancel', 'definition.orders.cancel')] : []),
    ...(inventory?.set ? [writeErrors(inventory.set, 'set', 'definition.inventory.set')] : []),
    ...(shipments ? [shipmentErrors(definition, shipments.create)] : []),
    ...(proxy ? proxyPaths(proxy).map(([place, path]) => placeholders(path, [], place)) : []),
    ...(definition.test ? [placeholders(definition.test.path, [], 'definition.test.path')] : []),
  ])
}

const prohibited = (path: string): FieldErrors => ({ [path]: [`The ${path} field is prohibited.`] })

function nameErrors({ kind, name }: Definition['auth']): FieldErrors {
  const place = 'definition.auth.name'
  if (kind !== 'header' && kind !== 'query') return name === undefined ? {} : prohibited(place)
  if (name === undefined) return required(place)
  return kind === 'header' && forbiddenHeaders.has(name.toLowerCase()) ? format(place) : {}
}

function listErrors({ path, paging }: Listing, place: string): FieldErrors {
  const { style, parameter, next } = paging
  const counted = style === 'page' || style === 'offset' || style === 'cursor'
  return merged([
    placeholders(path, [], `${place}.path`),
    ...(counted && parameter === undefined ? [required(`${place}.paging.parameter`)] : []),
    ...(style === 'cursor' && next === undefined ? [required(`${place}.paging.next`)] : []),
  ])
}

/** `needed` must be among what stands in braces, and nothing may that is not `known`. */
function placeholders(
  path: string,
  known: readonly string[],
  place: string,
  needed: readonly string[] = [],
): FieldErrors {
  const found = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name)
  const leaves = path.split('/').some((segment) => segment === '.' || segment === '..')
  const fits = found.every((name) => known.includes(name)) && needed.every((name) => found.includes(name))
  return fits && !leaves ? {} : format(place)
}

const proxyPaths = ({ prefixes, resources = [] }: NonNullable<Definition['proxy']>): [string, string][] => [
  ...prefixes.map((path, n): [string, string] => [`definition.proxy.prefixes.${n}`, path]),
  ...resources.map(({ path }, n): [string, string] => [`definition.proxy.resources.${n}.path`, path]),
]

/** Every place in a record that the definition names: not too many, and none that leads out of it. */
function placeErrors(definition: Definition): FieldErrors {
  const places = Object.entries(definition).flatMap(([name, part]) => pathsIn(part, `definition.${name}`))
  const errors = merged(
    places
      .filter(([, path]) => path.split('.').some((name) => forbiddenNames.has(name)))
      .map(([place]) => format(place)),
  )
  if (places.length > maxMappings)
    errors['definition'] = [`The definition field must not have more than ${maxMappings} mappings.`]
  return errors
}

const pathNames = new Set(['items', 'total', 'next', 'record', 'path', 'order_line_remote_id', 'quantity'])

/** Below `fields` everything is such a place; elsewhere those with these names that are no address. */
function pathsIn(value: unknown, place: string, all = false): [string, string][] {
  if (typeof value === 'string') return all ? [[place, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const isPath = all || (pathNames.has(key) && typeof inner === 'string' && !inner.startsWith('/'))
    return pathsIn(inner, `${place}.${key}`, isPath || key === 'fields')
  })
}

type Table = readonly { theirs: string; ours: string }[]

function tableErrors({ orders, products }: Definition): FieldErrors {
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
  return merged(
    tables.map(([place, table, needed]) =>
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
  )
}

const repeated = (words: readonly string[], place: string, field: string): FieldErrors =>
  merged(
    words.flatMap((word, n) => {
      const at = `${place}.${n}.${field}`
      return words.indexOf(word) === n ? [] : [{ [at]: [`The ${at} field has a duplicate value.`] }]
    }),
  )

function currencyErrors({ format: { currency } = {}, orders, products }: Definition): FieldErrors {
  const priced = products?.variants.fields
  return merged([
    ...(currency === undefined && orders && orders.fields.currency === undefined
      ? [required('definition.orders.fields.currency')]
      : []),
    ...(currency === undefined && (priced?.price ?? priced?.compare_at_price) !== undefined && !priced?.currency
      ? [required('definition.products.variants.fields.currency')]
      : []),
  ])
}

interface Written {
  path: string
  body?: Template
}

function writeErrors({ path, body = [] }: Written, kind: keyof typeof writeFields, place: string): FieldErrors {
  const { path: known, body: fields } = writeFields[kind]
  const paths = body.map((entry) => entry.path)
  return merged([
    placeholders(path, known, `${place}.path`),
    repeated(paths, `${place}.body`, 'path'),
    ...body.map(({ path: target, field, value }, n) => {
      const at = `${place}.body.${n}`
      // A list cannot be written into by number, nor can a place be both a value and a record.
      const inner = paths.some((other) => other.startsWith(`${target}.`))
      if (inner || /(^|\.)\d+(\.|$)/.test(target)) return format(`${at}.path`)
      if ((field === undefined) === (value === undefined)) return required(`${at}.field`)
      const isKnown = field === undefined || fields.some((one) => one === field)
      return isKnown ? {} : { [`${at}.field`]: [`The selected ${at}.field is invalid.`] }
    }),
  ])
}

type CreateShipment = NonNullable<Definition['shipments']>['create']

/** An answer may get lost: then somebody must be able to say whether the parcel is there. */
function shipmentErrors({ orders }: Definition, create: CreateShipment): FieldErrors {
  const place = 'definition.shipments.create'
  const safe = create.repeatable === true || create.idempotency_header !== undefined || orders?.shipments !== undefined
  const reason = `The ${place}.repeatable field must be true, unless idempotency_header or definition.orders.shipments is there.`
  return merged([
    writeErrors(create, 'create', place),
    ...(safe ? [] : [{ [`${place}.repeatable`]: [reason] }]),
    ...(forbiddenHeaders.has(create.idempotency_header?.toLowerCase() ?? '')
      ? [format(`${place}.idempotency_header`)]
      : []),
    ...(create.lines && (create.body ?? []).some(({ path }) => path.startsWith(create.lines?.path ?? ''))
      ? [format(`${place}.lines.path`)]
      : []),
  ])
}
