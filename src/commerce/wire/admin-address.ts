import { optional, text } from '../../lib/validation/fields.ts'

/** For platforms where every merchant puts the administration elsewhere: only they can say where. */
export const adminAddress = optional(
  text({
    max: 500,
    format: 'url',
    description: 'The address of the shop’s administration, for links to its orders (`admin_url`).',
    examples: ['https://shop.example/admin'],
  }),
)

export const adminPage = (
  facts: { settings: { admin_address?: string | undefined } } | undefined,
  path: string,
): string | null => {
  const address = facts?.settings.admin_address
  return address === undefined ? null : `${address.replace(/\/$/, '')}${path}`
}
