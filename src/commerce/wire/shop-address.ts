import { optional, text } from '../../lib/validation/fields.ts'

/** Where a shop on a site of its own is found, if its host does not say it all. */
export const siteAddress = (what: 'shop' | 'site', example: string) =>
  optional(
    text({
      pattern: '^https?://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:/[A-Za-z0-9._~%-]+)*/?$',
      description: `The address of the ${what}, if that is more than its host: below a path, at a port, or without TLS. https and the host alone by default.`,
      examples: [example],
    }),
  )

/** Where a server of one's own is found. */
export const serverAddress = optional(
  text({
    pattern: '^https?://(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(?::\\d{1,5})?(?:/[A-Za-z0-9._~/-]*)?$',
    description: 'Where the server answers, if that is not https:// and the name of the shop.',
  }),
)

/** As it is entered, without a slash at the end; else https and the name of the shop. */
export const originOf = ({
  shop,
  settings: { base_url: base },
}: {
  shop: string
  settings: { base_url?: string | undefined }
}): string => base?.replace(/\/+$/, '') ?? `https://${shop}`
