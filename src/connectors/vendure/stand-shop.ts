import type { Fields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { authenticate } from './auth.ts'
import type { Credentials, Settings, VendureShop } from './settings.ts'
import { makeStand } from './stand.ts'

export const facts = { shop: 'stand.example', settings: { money_precision: 2, currency: 'EUR', language: 'en' } }

/** A shop that answers with these, one after the other; requests are written down. */
export function scripted(answers: readonly Partial<RemoteAnswer>[], credentials: Credentials = { api_key: 'k' }) {
  const asked: RemoteRequest[] = []
  const left = [...answers]
  const shop: VendureShop = {
    ...facts,
    credentials,
    remote: {
      async request(request) {
        asked.push(request)
        return { status: 200, headers: {}, body: null, ...left.shift() }
      },
    },
  }
  return { shop, asked }
}

/** The stand, as a connector sees it; what was asked is written down. */
export function onStand({
  settings = {},
  credentials = { api_key: '' },
}: {
  settings?: Settings
  credentials?: Credentials
} = {}) {
  const stand = makeStand()
  const asked: { name: string; variables: Fields }[] = []
  const all = { ...stand.facts, settings: { ...stand.facts.settings, ...settings } }
  const held = credentials.api_key === '' ? stand.credentials : credentials
  const shop: VendureShop = {
    ...all,
    credentials: held,
    remote: {
      async request(request) {
        const { query, variables } = request.body as { query: string; variables: Fields }
        asked.push({ name: query.split(/[ ({]+/)[1] ?? '', variables })
        const signed = request.anonymous ? request : authenticate(request, held, all)
        return await stand.answer({ url: `https://stand.example${request.path}`, request: signed })
      },
    },
  }
  return { shop, stand, asked }
}
