import { cut } from '../clean-text.ts'
import type { Parameter, Wording } from './wording.ts'

const maxLength = 1000

/**
 * Somebody else's record is not what it should be: with the code of what is wrong with it, so that it can be said in any language.
 * A TypeError, as those of expressions and of the language itself are, which say it in their own words.
 */
export class Unreadable extends TypeError {
  readonly wording: Wording

  constructor({ code, parameters, text }: Wording) {
    super(cut(text, maxLength))
    this.name = 'Unreadable'
    const short = (value: Parameter) => (typeof value === 'string' ? cut(value, maxLength) : value)
    const kept = Object.entries(parameters).map(([name, value]) => [name, short(value)])
    this.wording = { code, parameters: Object.fromEntries(kept), text: this.message }
  }
}
