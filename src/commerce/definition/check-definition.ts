import { type FieldErrors, invalid } from '../../lib/fault.ts'
import { object } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'
import { withAllowed } from './allowed.ts'
import { authErrors } from './check-auth.ts'
import { currencyErrors, formatErrors, placeErrors, tableErrors } from './check-places.ts'
import {
  getErrors,
  joinErrors,
  listErrors,
  placeholders,
  refundErrors,
  settingErrors,
  shipmentErrors,
  writeErrors,
} from './check-requests.ts'
import { webhookErrors } from './check-webhooks.ts'
import { merged, prohibited, required } from './complaints.ts'
import { type Definition, definitionSchema } from './definition.ts'
import { meant, type Rules } from './places-in.ts'

/** A definition that somebody wrote, or a 422 that says where it is wrong: each complaint at `definition.` and its place. */
export function checkDefinition(written: unknown): Definition {
  const { definition, errors } = readDefinition(written)
  if (definition === null) throw invalid(errors)
  return definition
}

/** The same for whoever wants to show what is wrong beside what is right. */
export function readDefinition(
  written: unknown,
): { definition: Definition; errors: null } | { definition: null; errors: FieldErrors } {
  const unknown = unknownFields(definitionSchema, written, 'definition')
  const checked = validate(object({ definition: definitionSchema }), { definition: written })
  const errors = checked.ok
    ? { ...unknown, ...meaningErrors(checked.value.definition) }
    : { ...unknown, ...checked.errors }
  if (checked.ok && Object.keys(errors).length === 0) return { definition: checked.value.definition, errors: null }
  return { definition: null, errors: withAllowed(definitionSchema, written, errors) }
}

/** What nobody reads is a misspelling: left unsaid, a field would silently stay empty. */
function unknownFields(schema: Rules, value: unknown, path: string): FieldErrors {
  const rules = meant(schema, value)
  if (Array.isArray(value)) {
    const { items } = rules
    return items ? merged(value.map((item, n) => unknownFields(items, item, `${path}.${n}`))) : {}
  }
  const { properties } = rules
  if (!properties || typeof value !== 'object' || value === null) return {}
  return merged(
    Object.entries(value).map(([key, inner]) => {
      const place = `${path}.${key.slice(0, 100)}`
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined
      return known ? unknownFields(known, inner, place) : { [place]: [`The ${place} field is unknown.`] }
    }),
  )
}

function meaningErrors(definition: Definition): FieldErrors {
  const { origin, auth, orders, products, inventory, shipments, refunds, proxy } = definition
  const parts = Object.entries({ orders, products, inventory }).flatMap(([name, part]) =>
    part ? [{ at: `definition.${name}`, part }] : [],
  )
  return merged([
    ...(origin.from === 'fixed' && origin.address === undefined ? [required('definition.origin.address')] : []),
    ...(origin.from !== 'fixed' && origin.address !== undefined ? [prohibited('definition.origin.address')] : []),
    placeholders(origin.base_path ?? '', [], 'definition.origin.base_path'),
    authErrors(auth),
    ...(parts.length === 0 ? [required('definition.orders')] : []),
    ...parts.map(({ at, part }) => listErrors(part.list, `${at}.list`)),
    ...parts.map(({ at, part }) => joinErrors(part.joins, `${at}.joins`)),
    placeErrors(definition),
    formatErrors(definition),
    getErrors(orders?.get, 'definition.orders.get'),
    getErrors(products?.get, 'definition.products.get'),
    tableErrors(definition),
    currencyErrors(definition),
    ...(orders?.cancel ? [writeErrors(orders.cancel, 'cancel', 'definition.orders.cancel')] : []),
    ...(inventory?.set ? [settingErrors(inventory.set, 'definition.inventory.set')] : []),
    ...(shipments ? [shipmentErrors(definition, shipments.create)] : []),
    ...(refunds ? [refundErrors(definition, refunds.create)] : []),
    webhookErrors(definition),
    ...(proxy ? proxyPaths(proxy).map(([place, path]) => placeholders(path, [], place)) : []),
    ...(definition.test ? [placeholders(definition.test.path, [], 'definition.test.path')] : []),
  ])
}

const proxyPaths = ({ prefixes, resources = [] }: NonNullable<Definition['proxy']>): [string, string][] => [
  ...prefixes.map((path, n): [string, string] => [`definition.proxy.prefixes.${n}`, path]),
  ...resources.map(({ path }, n): [string, string] => [`definition.proxy.resources.${n}.path`, path]),
]
