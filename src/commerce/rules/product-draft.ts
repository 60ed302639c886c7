import type { FieldErrors } from '../../lib/fault.ts'
import type { Connector } from '../connector.ts'
import type { ProductDraft } from '../product.ts'

/** What is wrong with a product by itself, or cannot be had on its platform: by field, before anything is made. */
export function productErrors(
  { name, products }: Pick<Connector, 'name' | 'products'>,
  { images, variants, quantity }: ProductDraft,
  /** Where the product was given. */
  at = '',
): FieldErrors {
  const takes = products?.takes ?? []
  const errors: FieldErrors = {}
  const say = (field: string, why: string) => {
    errors[`${at}${field}`] ??= [`The ${at}${field} field ${why}`]
  }
  if (images?.length && !takes.includes('images'))
    say('images', `is prohibited: ${name} takes no images by their address.`)
  if (!variants) return errors
  if (!takes.includes('variants')) say('variants', `is prohibited: products with variants cannot be made on ${name}.`)
  if (quantity != null) say('quantity', 'is prohibited when there are variants, which have their own.')
  const namesOf = (n: number) => variants[n]?.options.map((option) => option.name).join('\n') ?? ''
  const [skus, choices] = [new Set<string>(), new Set<string>()]
  for (const [n, { sku, options }] of variants.entries()) {
    const chosen = JSON.stringify(options.map(({ value }) => value))
    if (skus.has(sku)) say(`variants.${n}.sku`, 'has a duplicate value.')
    if (namesOf(n) !== namesOf(0)) say(`variants.${n}.options`, 'must name the same options as the first variant.')
    else if (new Set(options.map((option) => option.name)).size < options.length)
      say(`variants.${n}.options`, 'names an option twice.')
    else if (choices.has(chosen)) say(`variants.${n}.options`, 'is that of another variant.')
    skus.add(sku)
    choices.add(chosen)
  }
  return errors
}
