import { randomInt } from 'node:crypto'
import { digest } from '../../../lib/secret.ts'

const count = 10
/** Nothing that looks like something else. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Sixteen letters of five bits each: nobody guesses them, so no guess has to be counted. */
const newCode = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')).join(
    '-',
  )

export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newCode)

/** However it is typed. */
export const recoveryCodeHash = (typed: string): Buffer => digest(typed.replaceAll(/[\s-]/g, '').toUpperCase())
