import { Type } from 'typebox'
import { isCatcherToken, shownHeaders } from '../domain/webhooks/catcher.ts'
import { catchRequest, isCatching } from '../domain/webhooks/catcher-store.ts'
import { notFound } from '../lib/fault.ts'
import { answer, type Group } from '../runtime/http/endpoint.ts'
import { endpoint } from './define.ts'

const catcher = {
  name: 'Catcher',
  description: 'A receiver for testing webhooks.',
  prefix: '',
  caller: null,
  rate: null,
} as const satisfies Group

const maxExcerptBytes = 64 * 1024

const receive = endpoint({
  group: catcher,
  method: 'POST',
  path: '/catch/{token}',
  summary: 'Post something to a receiver for webhooks',
  unauditedBecause: 'What is posted there is shown there.',
  openBecause: 'Protected by an address that only the owner of the app knows.',
  extension: true,
  bodyType: 'raw',
  bodyLimit: maxExcerptBytes,
  status: 200,
  returns: answer(Type.Object({ data: Type.Object({ received: Type.Boolean() }) })),
  async find({ context, params }) {
    if (!isCatcherToken(params.token) || !(await isCatching(context.db, params.token))) throw notFound()
  },
  async handle({ context, params, request }) {
    const arrived = { headers: shownHeaders(request.headers()), body: textOf(request.raw) }
    if (!(await catchRequest(context.db, params.token, arrived))) throw notFound()
    return { status: 200, body: { data: { received: true } } }
  },
})

/** The database holds no NUL. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\ufffd')

export const catchers = [receive]
