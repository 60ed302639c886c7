import type { Static } from 'typebox'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { flag, labelled, object, optional, text, unlisted } from '../../lib/validation/fields.ts'

export const settings = object({
  instance_id: unlisted(text({ description: 'The installation of the app on this site, as reported by Wix.' })),
})
export type Settings = Static<typeof settings>

export const credentials = object({
  access_token: text({ max: 10_000 }),
  /**
   * The installation that tokens are asked for with. Sealed, unlike the setting of the same name: whoever could write it would get
   * tokens of any site that has the app.
   */
  instance_id: optional(text()),
  /** A key of the account: it is good for many sites, so that every request says which one. */
  typed: optional(flag()),
})
export type Credentials = Static<typeof credentials>

export const client = labelled(
  { client_id: 'App ID', client_secret: 'App secret key', public_key: 'Public key of webhooks' },
  object({
    client_id: text({ description: 'App ID, on the OAuth page of the app’s dashboard at dev.wix.com.' }),
    client_secret: text({ description: 'App secret key, on the same page.' }),
    public_key: optional(
      text({
        ...{ max: 4000, pattern: '^-----BEGIN PUBLIC KEY-----' },
        description: 'The public key that the Webhooks page of the app’s dashboard shows: -----BEGIN PUBLIC KEY-----…',
      }),
    ),
  }),
)

export const typedForm = labelled(
  { api_key: 'API key' },
  object({ api_key: text({ max: 10_000, description: 'An API key of the account that the site belongs to.' }) }),
)

export type WixShop = Shop<Settings, Credentials>
export type WixFacts = ShopFacts<Settings>

const guid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Sites have addresses that their owners change; what stays is their id, which alone is no name of a host. */
export const shopPattern = new RegExp(`^(${guid})\\.wix\\.com$`)

/** `manage.wix.com/dashboard/<site id>/home`: what merchants have in front of them. */
export function shopOfPage({ host, pathname }: URL): string | null {
  const id = new RegExp(`^/dashboard/(${guid})(?:/|$)`, 'i').exec(pathname)?.[1]
  return host === 'manage.wix.com' && id !== undefined ? `${id.toLowerCase()}.wix.com` : null
}

export function siteIdOf({ shop }: Pick<WixFacts, 'shop'>): string {
  const id = shopPattern.exec(shop)?.[1]
  if (!id) throw new TypeError(`"${shop}" names no site on Wix.`)
  return id
}

export const isId = (text: string): boolean => new RegExp(`^${guid}$`).test(text)
