import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { authenticate } from './auth.ts'
import type { MedusaShop } from './settings.ts'
import { makeStand } from './stand.ts'

/** The stand, as a connector sees it; what was asked is written down. */
export function onStand() {
  const stand = makeStand()
  const asked: RemoteRequest[] = []
  const shop: MedusaShop = {
    ...stand.facts,
    credentials: { secret_key: String(stand.credentials['secret_key']) },
    remote: {
      async request(request) {
        asked.push(request)
        const signed = authenticate(request, shop.credentials)
        return await stand.answer({ url: `https://stand.example${request.path}`, request: signed })
      },
    },
  }
  return { shop, stand, asked }
}

/** A shop that answers with these, one after the other. */
export function scripted(answers: readonly Partial<RemoteAnswer>[]) {
  const asked: RemoteRequest[] = []
  const left = [...answers]
  const shop: MedusaShop = {
    ...{ shop: 'stand.example', settings: {}, credentials: { secret_key: 'sk' } },
    remote: {
      async request(request) {
        asked.push(request)
        return { status: 200, headers: {}, body: null, ...left.shift() }
      },
    },
  }
  return { shop, asked }
}
