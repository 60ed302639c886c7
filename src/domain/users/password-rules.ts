import type { FieldErrors } from '../../lib/fault.ts'
import { isEasyToGuess } from '../../lib/identity/weak-password.ts'
import type { User } from './user.ts'

/** For passwords that are set, never for those that are in use: nobody is locked out by a new rule. */
export function passwordErrors(password: string | undefined, user: Pick<User, 'name' | 'email'>): FieldErrors {
  if (password === undefined || !isEasyToGuess(password, [user.name, user.email])) return {}
  return { password: ['The password field must not be easy to guess.'] }
}
