import { toSecond } from '../../clock.ts'
import type { Answer, Call, Recorder, Route } from '../../http/call.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { combinationIdOf, referenceOf, stateOf } from './records.ts'
import { createResources } from './resources.ts'
import { stateNames } from './surroundings.ts'
import { errorXml, listXml, recordXml, singular } from './xml.ts'

/** A webservice of records that name each other by number: read as JSON or XML, written as XML; no limits, no messages. */
export const prestashop: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const { settings, shop, origin } = world
  const { variant, seed } = settings
  const keys = new Map<string, string>()
  const issue = () => {
    const key = secretFor(seed, `webservice key ${keys.size + 1}`, 32).toUpperCase()
    keys.set(key, `key-${keys.size + 1}`)
    return { webservice_key: key }
  }
  const resources = createResources(world)

  /** Some hosts answer with XML, whatever they are asked for. */
  const speaksJson = ({ query, header }: Call) =>
    variant['format'] !== 'XML' && (query.get('output_format') ?? header('output-format')) === 'JSON'
  const answerWith = (call: Call, status: number, json: unknown, xml: string, headers = {}): Answer =>
    speaksJson(call)
      ? answer(status, json, headers)
      : answer(status, xml, { 'content-type': 'text/xml;charset=utf-8', ...headers })
  const no = (call: Call, status: number, code: number, message: string) =>
    answerWith(call, status, { errors: [{ code, message }] }, errorXml(code, message), status === 401 ? realm : {})

  function run(call: Call, record: Recorder, resource: string, id: string | null): Answer {
    if (variant['service'] === 'off')
      return no(
        call,
        503,
        22,
        'The PrestaShop webservice is disabled. Please activate it in the PrestaShop Back Office',
      )
    const key = call.basic()?.[0] ?? call.query.get('ws_key')
    if (key === null) return no(call, 401, 17, 'Please enter the authentication key as the login. No password required')
    const name = keys.get(key)
    if (name === undefined) return no(call, 401, 19, 'Authentication key does not exist')
    record.caller(name)
    if (variant['lacks'] === resource)
      return no(call, 401, 26, `Resource of type "${resource}" is not allowed with this authentication key`)
    if (!resources.has(resource)) return no(call, 400, 16, `Resource of type "${resource}" does not exists.`)
    if (call.method !== 'GET') return write(call, record, resource, id)
    const rows = resources.list(call, resource, id)
    if (typeof rows === 'string') return no(call, 400, 32, rows)
    if (id === null)
      return answerWith(call, 200, rows.length === 0 ? [] : { [resource]: rows }, listXml(resource, rows))
    const [row] = rows
    return row
      ? answerWith(call, 200, { [singular(resource)]: row }, recordXml(singular(resource), row))
      : answer(404, undefined)
  }

  function write(call: Call, record: Recorder, resource: string, id: string | null): Answer {
    const made = resources.write(call, record, resource, id)
    if (typeof made === 'object')
      return answerWith(
        call,
        id === null ? 201 : 200,
        { [singular(resource)]: made },
        recordXml(singular(resource), made),
      )
    if (made === 'unknown') return answer(404, undefined)
    if (made === 'no XML') return no(call, 500, 127, 'XML error : String could not be parsed as XML')
    if (made === 'not allowed')
      return no(call, 405, 25, `Method ${call.method} is not allowed for the resource ${resource}`)
    return no(call, 400, 85, made)
  }

  function route(call: Call): Route {
    const [, api, resource = '', id = null] = call.path.split('/')
    if (api !== 'api')
      return { operation: 'page', writes: false, run: () => answer(404, '<!DOCTYPE html><html></html>') }
    const verb = call.method === 'GET' ? (id === null ? 'list' : 'get') : call.method === 'POST' ? 'create' : 'update'
    return {
      operation: `${resource}.${verb}`,
      writes: call.method !== 'GET',
      run: (record) => run(call, record, resource, id),
    }
  }

  return {
    install: {
      type: 'prestashop',
      shop: settings.shop,
      settings: { base_url: origin },
      credentials: issue(),
      client: {},
    },
    hosts: [],
    keep: issue,
    wrong: { webservice_key: secretFor(seed, 'no key', 32) },
    issue,
    route,
    errorBody: (status) => ({
      errors: [{ code: status, message: 'Internal error. To see this error please display the PHP errors.' }],
    }),
    expire: () => false,
    expireAll: () => {},
    orderId: (index) => String(index + 1),
    orderNumber: ({ index }) => referenceOf(index),
    orderStatus(order) {
      const state = stateOf(order, variant['refunds'] === 'state')
      return { status: ours.get(state) ?? 'PENDING', remote_status: stateNames.get(state) ?? '' }
    },
    shown: toSecond,
    productId: (index) => String(index + 1),
    variantId({ product, position }) {
      const several = (shop.stockroom.product(product)?.variants.length ?? 0) > 1
      return String(several ? combinationIdOf(product, position) : product + 1)
    },
    locationId: null,
  }
}

const ours = new Map([
  [4, 'SHIPPED'],
  [5, 'DELIVERED'],
  [6, 'CANCELLED'],
  [7, 'CANCELLED'],
])

const realm = {
  'www-authenticate':
    'Basic realm="Welcome to PrestaShop Webservice, please enter the authentication key as the login. No password required."',
}
