import { Type } from 'typebox'
import { choice, list, object, optional, text } from '../../../../lib/validation/fields.ts'

const moment = Type.String({ format: 'date-time' })

export const passkeySchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  backed_up: Type.Boolean({ description: 'Whether more than one device has it' }),
  last_used_at: Type.Union([moment, Type.Null()]),
  created_at: moment,
})

/** What browsers take and give: base64url inside JSON, as Web Authentication names it. */
export const ceremonyOptions = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const encoded = text({ max: 20_000, pattern: '^[A-Za-z0-9_-]+$' })
const ways = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const common = {
  id: encoded,
  rawId: encoded,
  type: choice(['public-key']),
}

export const registrationResponse = object({
  ...common,
  response: object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: optional(list(choice(ways), { max: 10 })),
  }),
})

export const authenticationResponse = object({
  ...common,
  response: object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: optional(encoded),
  }),
})
