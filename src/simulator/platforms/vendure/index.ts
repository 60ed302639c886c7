import { type GraphQLError, graphql } from 'graphql'
import { createTokens } from '../../auth/tokens.ts'
import { type Answer, answer, type Call, type Recorder } from '../../http/route.ts'
import { type Fields, fieldsOf, textOf } from '../../json.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { userError } from './lists.ts'
import { codeOf, createOrders, idOf, ownState, refusal, stateOf, variantId } from './orders.ts'
import { createProducts } from './products.ts'
import { schema } from './schema.ts'

/** GraphQL at one address, where nearly everything is told with status 200; keys, or sessions of people; no messages. */
export const vendure: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 31_536_000, currency: 'EUR', open }

const path = '/admin-api'

function open(world: World): Platform {
  const { settings } = world
  const keys = createTokens(world, 'key:')
  const sessions = createTokens(world, 'session-')
  const person = { username: 'ada', password: world.secretFor('password', 20) }
  const key = () => ({ api_key: keys.key() })
  const session = (seconds = settings.tokenSeconds) => sessions.mint(person.username, seconds)
  const byPassword = settings.variant['access'] === 'password'
  const own = settings.variant['states'] === 'own'
  const holder = (call: Call) => keys.holder(call.header('vendure-api-key')) ?? sessions.holder(call.bearer())

  const root = {
    ...{ ...createProducts(world), ...createOrders(world) },
    globalSettings: { serverConfig: { moneyStrategyPrecision: 2 } },
    activeChannel: { code: '__default_channel__', defaultCurrencyCode: 'EUR', defaultLanguageCode: 'en' },
    login: ({ username, password }: Fields): Fields =>
      username === person.username && password === person.password
        ? { __typename: 'CurrentUser', id: '1' }
        : refusal('InvalidCredentialsError', 'The provided credentials are invalid'),
  }

  const lacked = settings.variant['lacks']
  const channels = [{ code: root.activeChannel.code, permissions: permissions.filter((one) => one !== lacked) }]
  const may = (name: string) => lacked === undefined || !(opens[lacked]?.test(name) ?? false)
  const allowed = Object.fromEntries(
    Object.entries({ ...root, me: { id: '1', channels } }).map(([name, value]) => [name, may(name) ? value : forbid]),
  )

  async function run(call: Call, source: string, record: Recorder): Promise<Answer> {
    const name = holder(call)
    if (name !== null) record.caller(name)
    // Everything but the way in.
    const forbidden = name === null && !/^\s*mutation[^{]*\{\s*login\b/.test(source)
    const variableValues = fieldsOf(call.fields()['variables'])
    // A key is nobody.
    const known = keys.holder(call.header('vendure-api-key')) === null ? allowed : { ...allowed, me: forbid }
    const rootValue = forbidden ? denied : known
    const { data, errors } = await graphql({ schema, source, rootValue, variableValues, contextValue: record })
    if (data === undefined) return answer(400, { errors: errors?.map(errorWith('GRAPHQL_VALIDATION_FAILED')) })
    const failures = errors && { errors: errors.map(errorWith('INTERNAL_SERVER_ERROR')) }
    const isIn = fieldsOf(data?.['login'])['id'] !== undefined
    return answer(200, { ...failures, data }, isIn ? { 'vendure-auth-token': session() } : {})
  }

  const states = own ? { custom_states: [{ state: ownState, means: 'open' }] } : {}
  return {
    install: { settings: { base_url: world.origin, ...states } },
    keep: (seconds) => (byPassword ? { ...person, session_token: session(seconds) } : key()),
    wrong: { api_key: 'wrong' },
    issue: () => (byPassword ? person : key()),
    route(call) {
      if (call.path !== path || call.method !== 'POST')
        return { operation: 'unknown', writes: false, run: () => answer(404, `Cannot ${call.method} ${call.path}`) }
      const source = textOf(call.fields()['query']) ?? ''
      const [, kind = 'query', name = ''] = /^\s*(query|mutation)?\s*(\w*)/.exec(source) ?? []
      const operation = `${kind} ${name}`.trim()
      return { operation, writes: kind === 'mutation', run: (record) => run(call, source, record) }
    },
    errorBody: () => ({
      errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    }),
    expire: (call) => sessions.expire(call.bearer() ?? ''),
    expireAll: sessions.expireAll,
    orderId: idOf,
    orderNumber: codeOf,
    // What is cancelled costs nothing any more.
    shownTotal: ({ stage, total }) => (stage === 'cancelled' ? 0 : total),
    remoteStatus: ({ index, stage }) => stateOf(index, stage, own),
    tellsArrival: true,
    productId: idOf,
    variantId,
    locationId: idOf,
  }
}

const permissions = ['ReadOrder', 'UpdateOrder', 'ReadCatalog', 'UpdateCatalog', 'CreateCatalog', 'ReadStockLocation']
const opens: Readonly<Record<string, RegExp>> = {
  ...{ ReadOrder: /^orders?$/, ReadCatalog: /^product/, UpdateOrder: /^(cancel|settle|add|transition)/ },
}

const forbid = () => {
  throw userError('You are not currently authorized to perform this action', 'FORBIDDEN')
}
/** Whoever may not ask is told so at the first field. */
const denied = new Proxy({}, { get: () => forbid })

const errorWith = (defaultCode: string) => (error: GraphQLError) => ({
  ...error.toJSON(),
  extensions: { code: defaultCode, ...error.extensions },
})
