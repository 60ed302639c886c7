import { invalidField } from '../lib/fault.ts'
import { text } from '../lib/validation/fields.ts'

export const newPassword = text({ min: 8, max: 1024, trim: false })

/** The body without the second spelling of the password, which is there to be compared with the first. */
export function confirmed<T extends { password?: string; password_confirmation?: string | null }>(input: T) {
  const { password_confirmation: confirmation, ...rest } = input
  if (confirmation !== undefined && confirmation !== input.password) {
    throw invalidField('password', 'The password field confirmation does not match.')
  }
  return rest
}
