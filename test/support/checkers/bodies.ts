import { Ajv } from 'ajv'
import { type Checker, complaintsOf, field, isNews, type Json, strip, type VendorSpecification } from './checker.ts'

type Specification = Extract<VendorSpecification, { kind: 'bodies' }>

/** Against a JSON Schema of bodies: what is sent by a path, and what comes back, as a whole or one part of it. */
export function bodiesChecker(document: Json, { base, bodies, wrong = [] }: Specification): Checker {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, logger: false })
  ajv.addSchema(closed(document), 'document', true, false)
  const checks = bodies.map((one) => ({
    ...one,
    check: ajv.compile({ $ref: `document#/definitions/${one.definition}` }),
  }))
  return ({ url, request: { method, body } }, answer) => {
    const rest = strip(new URL(url).pathname, base)
    if (rest === null) return null
    return checks
      .filter((one) => one.method === method && one.path.test(rest) && (one.side === 'request' || answer.status < 300))
      .flatMap(({ side, part, check }) => {
        const whole = side === 'request' ? body : answer.body
        const meant = part === undefined ? whole : field(whole, part)
        const rows = Array.isArray(meant) ? meant : meant === undefined ? [] : [meant]
        return rows.flatMap((row: unknown) => complaintsOf(check, row, `${method} ${rest}: ${side} ${part ?? ''}`))
      })
      .filter(isNews(wrong))
  }
}

/** Records have no other fields than those that are described: else a misspelt one would fit as well. */
function closed(value: unknown): Json {
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk)
    if (typeof one !== 'object' || one === null) return one
    const inner = Object.fromEntries(Object.entries(one).map(([name, part]) => [name, walk(part)]))
    return typeof inner['properties'] === 'object' && inner['type'] === 'object' && !('additionalProperties' in inner)
      ? { ...inner, additionalProperties: false }
      : inner
  }
  return walk(value) as Json
}
