/**
 * What is wrong with a record or a message of a shop. `name` is what the platform calls a field, or where it stands; `value` what stands
 * there; `problem` what a program has said.
 */
export const recordSentences = {
  no_record: 'The shop sent something that is no record.',
  lacks_field: 'The shop\'s record has no "{name}".',
  no_text: '"{name}" is no text.',
  no_number: '"{name}" is no number.',
  no_whole_number: '"{name}" is no whole number.',
  no_flag: '"{name}" is neither true nor false.',
  no_list_in: '"{name}" is no list.',
  no_records_in: '"{name}" is no list of records.',
  no_time_in: '"{name}" is no time.',
  no_amount_in: '"{name}" is no amount with a currency.',
  no_time: '"{value}" is no time.',
  no_amount: '"{value}" is no amount.',
  no_quantity: '"{value}" is no quantity.',
  no_currency: '"{value}" is no currency.',
  no_country: '"{value}" is no code of a country.',
  amount_missing: 'An amount is missing.',
  unknown_value: 'Unknown value of "{name}": {value}.',
  undefined_word: 'The definition has no word for "{value}" in {name}.',
  only_part_of: 'The shop sent only a part of "{name}".',
  nothing_to_sell: 'The product has no variants.',
  shop_currency_unknown: 'The currency of the shop is unknown; reconnect the shop to detect it.',
  not_on_marketplace: 'The listing is not on the marketplace {marketplace}.',
  record_misread: 'The record could not be understood: {problem}',
  record_not_stored: 'The record could not be stored: {problem}',

  webhook_of_another: 'The webhook belongs to another shop.',
  webhook_no_shop: 'The webhook does not name its shop.',
  webhook_no_id: 'The webhook has no id.',
  webhook_no_subject: 'The webhook does not say what it is about.',
  webhook_too_many: 'The message is about more than {max} records.',
  webhook_not_whole: 'The message lacks a part of what is signed.',
} as const
