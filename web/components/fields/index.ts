import type { FieldWords } from '../../parts/form-fields.ts'

/**
 * What the fields of a connector are called in languages other than English: the type of the service and the name of the field decide,
 * as in `woocommerce.base_url`. What has no words here, as in a service that a tenant has described, is shown as its schema has it.
 */
export type FieldTexts = Readonly<Record<string, FieldWords>>

/** By the parts of the form. */
interface Parts {
  settings: FieldTexts
  credentials: FieldTexts
}

/** What a language says of a field. It comes with its words, so that nobody loads it who reads English. */
export type SayField = (type: string, part: keyof Parts, name: string) => FieldWords | null

export const sayFieldsIn =
  (texts: Parts): SayField =>
  (type, part, name) => {
    const key = `${type}.${name}`
    return Object.hasOwn(texts[part], key) ? (texts[part][key] ?? null) : null
  }
