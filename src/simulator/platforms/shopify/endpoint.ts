import { executeSync, GraphQLError } from 'graphql'
import { type Bucket, createBucket, type Limit } from '../../buckets.ts'
import { type Answer, answer, type Call, type Recorder, type Route } from '../../http/route.ts'
import { fieldsOf, textOf } from '../../json.ts'
import type { World } from '../../world.ts'
import { type Asked, failure } from './asked.ts'
import { costOf, fieldsIn, readDocument } from './documents.ts'
import { shopIn } from './ids.ts'
import type { OAuth } from './oauth.ts'
import { schema } from './schema.ts'

/** The bucket of one app in one shop: twenty seconds of what flows into it, by the plan of the merchant. */
const plans: Readonly<Record<string, Limit | undefined>> = {
  standard: { burst: 2000, perSecond: 100 },
  plus: { burst: 20_000, perSecond: 1000 },
}

type Question = ReturnType<typeof questionIn>

function questionIn(call: Call) {
  const { query, variables, operationName } = call.fields()
  const read = readDocument(textOf(query) ?? '')
  const named = read.operations.find(({ name }) => name?.value === operationName)
  return { read, operation: named ?? read.operations[0], variables: fieldsOf(variables) }
}

export function createEndpoint(world: World, oauth: OAuth, root: object): (call: Call) => Route {
  const { variant } = world.settings
  const plan = plans[variant['plan'] ?? 'plus'] ?? { burst: 20_000, perSecond: 1000 }
  const maxCost = Number(variant['max_cost'] ?? 1000)
  const buckets = new Map<string, Bucket>()

  function carryOut({ read, operation, variables }: Question, asked: Asked): object {
    if (!operation || read.errors.length > 0) return { errors: read.errors }
    const { document } = read
    const requested = costOf(operation, variables)
    if (requested > maxCost) return { errors: [tooCostly(requested, maxCost)] }
    const scale = world.weather.now().limit_scale
    const limit = { burst: plan.burst * scale, perSecond: plan.perSecond * scale }
    const bucket = buckets.get(asked.caller) ?? createBucket(world.clock)
    buckets.set(asked.caller, bucket)
    const { taken, left } = bucket.take(requested, limit)
    if (!taken) return { errors: [throttled], extensions: { cost: costs(requested, null, left, limit) } }
    const operationName = operation.name?.value
    const { data, errors } = executeSync({
      ...{ schema: schema(), document, rootValue: root, contextValue: asked, variableValues: variables },
      ...(operationName === undefined ? {} : { operationName }),
    })
    // What nobody meant to throw is a fault of this imitation, not an answer of the platform.
    const fault = errors?.find(({ originalError }) => originalError && !(originalError instanceof GraphQLError))
    if (fault) throw fault.originalError
    const actual = Math.min(requested, costOf(operation, variables, fieldsOf(data)))
    const cost = costs(requested, actual, bucket.give(requested - actual, limit), limit)
    return { ...(errors ? { errors } : {}), ...(data === undefined ? {} : { data }), extensions: { cost } }
  }

  function run(call: Call, question: Question, record: Recorder): Answer {
    const holder = oauth.holder(call.header('x-shopify-access-token'))
    if (!holder) return answer(401, unauthorized)
    record.caller(holder.name)
    const shop = shopIn(world.settings, call.origin)
    const asked = { record, caller: holder.name, shop, scopes: holder.scopes, whole: false }
    return answer(200, carryOut(question, asked), { 'x-shopify-api-version': '2026-10' })
  }

  return (call) => {
    const question = questionIn(call)
    const { operation, variables } = question
    const names = fieldsIn(operation?.selectionSet, variables).map(({ name }) => name.value)
    return {
      operation: names.join(' ') || 'graphql.invalid',
      writes: operation?.operation === 'mutation',
      run: (record) => run(call, question, record),
    }
  }
}

export const unauthorized = { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' }

const throttled = {
  message: 'Throttled',
  extensions: { code: 'THROTTLED', documentation: 'https://shopify.dev/api/usage/rate-limits' },
}

const tooCostly = (cost: number, maxCost: number) =>
  failure(`Query cost is ${cost}, which exceeds the single query max cost limit (${maxCost}).`, 'MAX_COST_EXCEEDED', {
    cost,
    maxCost,
    documentation: 'https://shopify.dev/api/usage/rate-limits',
  })

const costs = (requested: number, actual: number | null, left: number, { burst, perSecond }: Limit) => ({
  requestedQueryCost: requested,
  actualQueryCost: actual,
  throttleStatus: { maximumAvailable: burst, currentlyAvailable: Math.floor(left), restoreRate: perSecond },
})
