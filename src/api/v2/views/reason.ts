import { Type } from 'typebox'

/** What a sentence of ours follows from, for whoever shows it in another language. */
export const reasonSchema = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  description:
    'What `error` follows from: a code and its parameters, for those who show it in another language than English. Null where the shop has said it',
  properties: {
    code: { type: 'string' },
    parameters: {
      type: 'object',
      description:
        'By name. An object with a `code` is a sentence inside the other, a list several of them; a text is shown as it is',
    },
  },
  required: ['code', 'parameters'],
})
