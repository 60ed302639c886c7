import { type Answer, answer, type Call, type Recorder, type Route } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { combinationIdOf, referenceOf, stateOf } from './records.ts'
import { createResources } from './resources.ts'
import { stateNames } from './surroundings.ts'
import { errorXml, listXml, recordXml, singular } from './xml.ts'

/** A webservice of records that name each other by number: read as JSON or XML, written as XML; no limits, no messages. */
export const prestashop: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const { shop, origin, secretFor } = world
  const { variant } = world.settings
  const keys = new Map<string, string>()
  const resources = createResources(world)
  const refundState = variant['refunds'] === 'state'

  /** Some hosts answer with XML, whatever they are asked for. */
  const answerWith = ({ query, header }: Call, status: number, json: unknown, xml: string, headers = {}): Answer =>
    variant['format'] !== 'XML' && (query.get('output_format') ?? header('output-format')) === 'JSON'
      ? answer(status, json, headers)
      : answer(status, xml, { 'content-type': 'text/xml;charset=utf-8', ...headers })

  function run(call: Call, record: Recorder, resource: string, id: string | null): Answer {
    const no = (status: number, code: number, message: string) =>
      answerWith(call, status, { errors: [{ code, message }] }, errorXml(code, message), status === 401 ? realm : {})
    if (variant['service'] === 'off') return no(503, 22, isOff)
    const key = call.basic()?.[0] ?? call.query.get('ws_key')
    if (key === null) return no(401, 17, 'Please enter the authentication key as the login. No password required')
    const name = keys.get(key)
    if (name === undefined) return no(401, 19, 'Authentication key does not exist')
    record.caller(name)
    const [lacked, lackedMethod] = (variant['lacks'] ?? '').split('.')
    const may = (name: string, method: string) => name !== lacked || (lackedMethod ?? method) !== method
    if (resource === '') return answer(200, rightsXml(resources.names(), may), { 'content-type': 'text/xml' })
    if (resource === lacked && lackedMethod === call.method)
      return no(405, 26, `Method ${call.method} is not allowed for the resource ${resource} with this key`)
    if (resource === lacked && lackedMethod === undefined)
      return no(401, 26, `Resource of type "${resource}" is not allowed with this authentication key`)
    if (!resources.has(resource)) return no(400, 16, `Resource of type "${resource}" does not exists.`)
    if (call.method === 'GET') {
      const rows = resources.list(call, resource)
      if (typeof rows === 'string') return no(400, 32, rows)
      const list = resource === 'order_slip' ? 'order_slips' : resource
      return answerWith(call, 200, rows.length === 0 ? [] : { [list]: rows }, listXml(list, rows))
    }
    const made = resources.write(call, record, resource, id)
    if (made === null) return answer(404)
    if ('refused' in made) return no(...made.refused)
    // Saved, and then not: the mail comes last.
    if (variant['mail'] === 'broken' && call.query.get('sendemail') === '1')
      return no(500, 46, 'Unable to save resource')
    const [status, one] = [id === null ? 201 : 200, singular(resource)]
    return answerWith(call, status, { [one]: made.saved }, recordXml(one, made.saved))
  }

  function route(call: Call): Route {
    const [, api, resource = '', id = null] = call.path.split('/')
    const [writes, verb] = [call.method !== 'GET', { GET: 'list', POST: 'create' }[call.method] ?? 'update']
    if (api !== 'api')
      return { operation: 'page', writes: false, run: () => answer(404, '<!DOCTYPE html><html></html>') }
    return { operation: `${resource}.${verb}`, writes, run: (record) => run(call, record, resource, id) }
  }

  return {
    install: { settings: { base_url: origin } },
    wrong: { webservice_key: secretFor('no key', 32) },
    issue() {
      const key = secretFor(`webservice key ${keys.size + 1}`, 32).toUpperCase()
      keys.set(key, `key-${keys.size + 1}`)
      return { webservice_key: key }
    },
    route,
    errorBody: (status) => ({
      errors: [{ code: status, message: 'Internal error. To see this error please display the PHP errors.' }],
    }),
    orderId: (index) => String(index + 1),
    orderNumber: ({ index }) => referenceOf(index),
    orderStatus: (order) => ours[stateOf(order, refundState)] ?? 'PENDING',
    remoteStatus: (order) => stateNames.get(stateOf(order, refundState)) ?? '',
    productId: (index) => String(index + 1),
    variantId({ product, position }) {
      const several = (shop.stockroom.product(product)?.variants.length ?? 0) > 1
      return String(several ? combinationIdOf(product, position) : product + 1)
    },
  }
}

/** The front page: which resources a key may use, and how. */
function rightsXml(names: readonly string[], may: (name: string, method: string) => boolean): string {
  const rows = names
    .filter((name) => may(name, 'GET'))
    .map((name) => {
      const rights = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD'].map(
        (method) => `${method.toLowerCase()}="${may(name, method)}"`,
      )
      return `<${name} ${rights.join(' ')}/>`
    })
  return `<prestashop><api shopName="Shop">${rows.join('')}</api></prestashop>`
}

const ours: Readonly<Record<number, string>> = { 4: 'SHIPPED', 5: 'DELIVERED', 6: 'CANCELLED', 7: 'REFUNDED' }

const isOff = 'The PrestaShop webservice is disabled. Please activate it in the PrestaShop Back Office'
const realm = {
  'www-authenticate':
    'Basic realm="Welcome to PrestaShop Webservice, please enter the authentication key as the login. No password required."',
}
