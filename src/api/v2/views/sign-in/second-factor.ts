import { Type } from 'typebox'

export const enrolmentSchema = Type.Object({
  secret: Type.String({ description: 'For authenticator apps without a camera' }),
  uri: Type.String({ description: 'What a QR code shows: otpauth://totp/…' }),
})

export const recoveryCodesSchema = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Ten, each good once. Shown only here.' }),
})
