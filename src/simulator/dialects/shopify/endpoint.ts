import { type Bucket, createBucket, type Limit } from '../../buckets.ts'
import type { Answer, Call, Recorder, Route } from '../../http/call.ts'
import { fieldsOf, textOf } from '../../json.ts'
import type { Subscriptions } from '../../subscriptions.ts'
import type { Tokens } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { type DocumentNode, graphqlError, isGraphqlError, type OperationNode } from './graphql/document.ts'
import { parse } from './graphql/parse.ts'
import { type Plan, planOf } from './graphql/plan.ts'
import { costOf, run } from './graphql/run.ts'
import { createMutations } from './mutations.ts'
import type { Request } from './payload.ts'
import { createQueries } from './queries.ts'

/** The bucket of one app in one shop, as wide as that of the platform's larger plans. */
const plan: Limit = { burst: 2000, perSecond: 1000 }
const mostPerQuery = 1000

interface Asked {
  document: DocumentNode
  operation: OperationNode
  variables: Readonly<Record<string, unknown>>
}

export function createGraphql(world: World, subscriptions: Subscriptions, tokens: Tokens): (call: Call) => Route {
  const types = { query: createQueries(world, subscriptions), mutation: createMutations(world, subscriptions) }
  const documents = new Map<string, DocumentNode>()
  const buckets = new Map<string, Bucket>()

  function read(call: Call): Asked {
    const { query, variables, operationName } = call.fields()
    const source = textOf(query)
    if (source === null) throw graphqlError('No query was given', 'BAD_REQUEST')
    const document = documents.get(source) ?? parse(source)
    if (documents.size < 500) documents.set(source, document)
    const operation = document.operations.find(({ name }) => name === operationName) ?? document.operations[0]
    if (!operation) throw graphqlError('No operation was given', 'BAD_REQUEST')
    return { document, operation, variables: fieldsOf(variables) }
  }

  function bucketOf(name: string): Bucket {
    const known = buckets.get(name) ?? createBucket(world.clock)
    buckets.set(name, known)
    return known
  }

  function execute({ document, operation, variables }: Asked, name: string, record: Recorder): Answer {
    const made = planOf(document, operation, variables, types)
    const requested = Math.max(operation.type === 'mutation' ? 10 : 1, costOf(made))
    if (requested > mostPerQuery) {
      throw graphqlError(
        `Query cost is ${requested}, which exceeds the single query max cost limit (${mostPerQuery}).`,
        'MAX_COST_EXCEEDED',
      )
    }
    const scale = world.weather.now().limit_scale
    const limit = { burst: plan.burst * scale, perSecond: plan.perSecond * scale }
    const bucket = bucketOf(name)
    const { taken, left } = bucket.take(requested, limit)
    if (!taken) {
      const errors = [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }]
      return answer(200, { errors, extensions: { cost: costs(requested, null, left, limit) } })
    }
    const { data, objects } = carryOut(made, record)
    const actual = Math.min(requested, Math.max(operation.type === 'mutation' ? 10 : 1, Math.ceil(objects / 10)))
    const after = bucket.give(requested - actual, limit)
    return answer(200, { data, extensions: { cost: costs(requested, actual, after, limit) } })
  }

  function carryOut(made: Plan, record: Recorder) {
    return run(made, ({ field, args, directives }) => {
      const request: Request = { record, key: textOf(directives['idempotent']?.['key']) }
      return field?.resolve(request, args)
    })
  }

  return (call) => {
    let asked: Asked | null = null
    let mistake: unknown = null
    try {
      asked = read(call)
    } catch (error) {
      mistake = error
    }
    return {
      operation: asked ? nameOf(asked.operation) : 'graphql.invalid',
      writes: asked?.operation.type === 'mutation',
      run(record) {
        const name = tokens.holder(call.header('x-shopify-access-token'))
        if (name === null) {
          return answer(401, { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })
        }
        record.caller(name)
        try {
          if (!asked) throw mistake
          return execute(asked, name, record)
        } catch (error) {
          if (!isGraphqlError(error)) throw error
          return answer(200, { errors: [{ message: error.message, extensions: { code: error.graphqlCode } }] })
        }
      },
    }
  }
}

/** As the ledger calls it: what stands at the root. */
const nameOf = ({ selections }: OperationNode): string =>
  selections.map((selection) => (selection.kind === 'field' ? selection.name : '…')).join(' ')

const costs = (requested: number, actual: number | null, left: number, { burst, perSecond }: Limit) => ({
  requestedQueryCost: requested,
  actualQueryCost: actual,
  throttleStatus: { maximumAvailable: burst, currentlyAvailable: Math.floor(left), restoreRate: perSecond },
})
