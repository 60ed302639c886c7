import { execute, GraphQLError, parse, validate } from 'graphql'
import { toSecond } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, textOf } from '../../json.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { createTokens, secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { userError } from './lists.ts'
import { codeOf, orderId, ownState, productId, stateOf, variantId } from './order-view.ts'
import { createOrders } from './orders.ts'
import { createProducts } from './products.ts'
import { schema } from './schema.ts'

/** GraphQL at one address, where nearly everything is told with status 200; keys, or sessions of people; no messages. */
export const vendure: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 31_536_000, currency: 'EUR', open }

const path = '/admin-api'

function open(world: World): Platform {
  const { settings, clock } = world
  const keys = createTokens(settings.seed, 'key:', clock)
  const sessions = createTokens(settings.seed, 'session-', clock)
  const person = { username: 'ada', password: secretFor(settings.seed, 'password', 20) }
  let made = 0
  const key = () => ({ api_key: keys.mint(`key-${++made}`, Number.POSITIVE_INFINITY).token })
  const session = (seconds = settings.tokenSeconds) => sessions.mint(person.username, seconds).token
  const byPassword = settings.variant['access'] === 'password'
  const holder = (call: Call) => keys.holder(call.header('vendure-api-key')) ?? sessions.holder(call.bearer())

  const { fields, ...goods } = createProducts(world)
  const orders = createOrders(world, goods)
  const own = settings.variant['states'] === 'own'
  const root = {
    ...{ ...fields, ...orders, globalSettings: { serverConfig: { moneyStrategyPrecision: 2 } } },
    activeChannel: {
      ...{ code: '__default_channel__', token: 'main', defaultCurrencyCode: 'EUR', defaultLanguageCode: 'en' },
    },
  }

  function login({ username, password }: Fields): Fields {
    if (username === person.username && password === person.password) return { __typename: 'CurrentUser', id: '1' }
    const message = 'The provided credentials are invalid'
    return { __typename: 'InvalidCredentialsError', errorCode: 'INVALID_CREDENTIALS_ERROR', message }
  }

  async function run(call: Call, record: Recorder): Promise<Answer> {
    const { query, variables } = call.fields()
    const { document, errors } = read(textOf(query) ?? '')
    if (!document) return answer(400, { errors: errors.map(errorWith('GRAPHQL_VALIDATION_FAILED')) })
    const name = holder(call)
    if (name !== null) record.caller(name)
    // Everything but the way in.
    const forbidden = name === null && !/^\s*mutation[^{]*\{\s*login\b/.test(textOf(query) ?? '')
    const rootValue = forbidden ? denied : { ...root, login }
    const variableValues = fieldsOf(variables)
    const { data, errors: failed } = await execute({
      schema,
      document,
      rootValue,
      variableValues,
      contextValue: record,
    })
    const failures = failed && { errors: failed.map(errorWith('INTERNAL_SERVER_ERROR')) }
    const isIn = fieldsOf(data?.['login'])['id'] !== undefined
    return answer(200, { ...failures, data }, isIn ? { 'vendure-auth-token': session() } : {})
  }

  const credentials = byPassword ? person : key()
  const keep = (seconds?: number) => (byPassword ? { ...person, session_token: session(seconds) } : key())
  const states = own ? { custom_states: [{ state: ownState, means: 'open' }] } : {}

  return {
    install: {
      ...{ type: 'vendure', shop: settings.shop, settings: { base_url: world.origin, ...states } },
      ...{ credentials, client: {} },
    },
    hosts: [],
    keep,
    wrong: { api_key: 'wrong' },
    issue: () => (byPassword ? person : key()),
    route(call) {
      if (call.path !== path || call.method !== 'POST')
        return { operation: 'unknown', writes: false, run: () => answer(404, `Cannot ${call.method} ${call.path}`) }
      const [, kind = 'query', name = ''] =
        /^\s*(query|mutation)?\s*(\w*)/.exec(textOf(call.fields()['query']) ?? '') ?? []
      const operation = `${kind} ${name}`.trim()
      return { operation, writes: kind === 'mutation', run: (record) => run(call, record) }
    },
    errorBody: () => ({
      errors: [{ message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    }),
    expire(call) {
      const token = call.bearer()
      if (token !== null) sessions.expire(token)
      return token !== null
    },
    expireAll: sessions.expireAll,
    orderId,
    orderNumber: codeOf,
    // What is cancelled costs nothing any more.
    shownTotal: ({ stage, total }) => (stage === 'cancelled' ? 0 : total),
    orderStatus({ index, stage }) {
      const remote_status = stateOf(index, stage, own)
      const words: Fields = { Shipped: 'SHIPPED', Delivered: 'DELIVERED', Cancelled: 'CANCELLED' }
      return { status: textOf(words[remote_status]) ?? 'PENDING', remote_status }
    },
    shown: toSecond,
    productId,
    variantId,
    locationId: (location) => String(location + 1),
  }
}

function read(query: string) {
  try {
    const document = parse(query)
    const errors = validate(schema, document)
    return errors.length === 0 ? { document, errors } : { document: null, errors }
  } catch (error) {
    return { document: null, errors: [error instanceof GraphQLError ? error : userError('Syntax error')] }
  }
}

/** Whoever may not ask is told so at the first field. */
const denied = new Proxy(
  {},
  {
    get: () => () => {
      throw userError('You are not currently authorized to perform this action', 'FORBIDDEN')
    },
  },
)

const errorWith = (defaultCode: string) => (error: GraphQLError) => ({
  ...error.toJSON(),
  extensions: { code: defaultCode, ...error.extensions },
})
