import type { Static } from 'typebox'
import { connector } from '../../commerce/connector.ts'
import { keyHandover } from '../../commerce/connector-auth.ts'
import { isFields } from '../../commerce/reading.ts'
import { object, text } from '../../lib/fields.ts'
import { logo } from './logo.ts'
import { ofDialect, settings } from './of-dialect.ts'
import { woo } from './woo/index.ts'

const type = 'sandbox-handover'

const credentials = object({ consumer_key: text(), consumer_secret: text() })

/** A simulated shop that hands its keys over by itself, once the merchant has allowed it on the shop's own page. */
export const sandboxHandover = connector({
  type,
  name: 'Sandbox with key hand-over',
  description: 'A simulator of the dialect woo, connected through the browser as self-hosted shops are.',
  logo,
  settings,
  auth: keyHandover<Static<typeof settings>, typeof credentials>({
    credentials,
    authorizeUrl: ({ settings: { base_url: base }, state, callbackUrl }) => {
      const url = new URL('/wc-auth/v1/authorize', base)
      url.search = new URLSearchParams({
        app_name: 'Entrepot',
        scope: 'read_write',
        user_id: state,
        return_url: callbackUrl,
        callback_url: callbackUrl,
      }).toString()
      return url.href
    },
    readHandover: (body) => {
      if (!isFields(body)) return null
      const { user_id: state, consumer_key, consumer_secret } = body
      if (typeof state !== 'string' || typeof consumer_key !== 'string' || typeof consumer_secret !== 'string')
        return null
      return { state, credentials: { consumer_key, consumer_secret } }
    },
    readReturn: ({ user_id: state, success }) =>
      state === undefined || success === undefined ? null : { state, allowed: success === '1' },
    prove: (shop) => woo.prove(shop),
  }),
  ...ofDialect(woo, {
    type,
    locations: false,
    prefixes: ['/wp-json/wc/v3', '/wp-json/wc-shipment-tracking/v3'],
  }),
})
