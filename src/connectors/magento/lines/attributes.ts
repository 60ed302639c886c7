import type { OrderAttribute } from '../../../commerce/order.ts'
import { type Fields, idIn, isFields, maybeFields, maybeText, recordsIn } from '../../../commerce/reading.ts'

/** Options of the product that the buyer filled in or chose, told as ids. */
export function chosenIn(item: Fields): readonly Fields[] {
  const chosen = maybeFields(maybeFields(item, 'product_option') ?? {}, 'extension_attributes')?.['custom_options']
  return Array.isArray(chosen) ? chosen.filter(isFields) : []
}

/** What the buyer asked for in words: by the names that the options have in the shop, by their ids where those are gone. */
export function attributesOf(item: Fields, options: readonly Fields[]): OrderAttribute[] {
  const chosen = chosenIn(item).map((one) => {
    const id = idIn(one, 'option_id')
    const option = options.find((known) => idIn(known, 'option_id') === id)
    return { name: (option && maybeText(option, 'title')) ?? `Option ${id}`, value: shownValue(one, option) }
  })
  return [...chosen, ...giftMessageOf(item)]
}

/** Of a list the ids of what was picked; of a file its name; of anything else the text. */
function shownValue(chosen: Fields, option: Fields | undefined): string {
  const file = maybeFields(maybeFields(chosen, 'extension_attributes') ?? {}, 'file_info')
  if (file) return maybeText(file, 'name') ?? 'file'
  const value = String(chosen['option_value'] ?? '')
  const labels = new Map(
    (option?.['values'] == null ? [] : recordsIn(option, 'values')).map((one) => [
      idIn(one, 'option_type_id'),
      maybeText(one, 'title'),
    ]),
  )
  return labels.size === 0
    ? value
    : value
        .split(',')
        .map((id) => labels.get(id) ?? id)
        .join(', ')
}

export function giftMessageOf(record: Fields): OrderAttribute[] {
  const message = maybeFields(maybeFields(record, 'extension_attributes') ?? {}, 'gift_message')
  if (!message) return []
  const named = { 'Gift message': 'message', 'Gift from': 'sender', 'Gift for': 'recipient' }
  return Object.entries(named).flatMap(([name, field]) => {
    const value = maybeText(message, field)
    return value === null ? [] : [{ name, value }]
  })
}
