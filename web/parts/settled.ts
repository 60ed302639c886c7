import { type ElementPart, noChange } from 'lit'
import { Directive, directive, type PartInfo, PartType } from 'lit/directive.js'

/**
 * What a field is set to, once that is settled. A list that is chosen from with the arrow keys, or a date that is typed, passes
 * through values nobody wants: those made by keys count with Enter, or when the field is left; what is picked with a pointer, or
 * from a list that is open, counts at once. So nothing happens that was not asked for.
 *
 * ```ts
 * html`<select ${settled((value) => changeQuery({ status: value }))}>…</select>`
 * ```
 */
class Settled extends Directive {
  #apply: (value: string) => void = () => undefined
  #watched: Field | null = null
  /** Chosen, and not settled yet. */
  #chosen: string | null = null

  constructor(info: PartInfo) {
    super(info)
    if (info.type !== PartType.ELEMENT) throw new Error('`settled` stands in the tag of a field.')
  }

  override update(part: ElementPart, [apply]: [(value: string) => void]): typeof noChange {
    this.#apply = apply
    const field = part.element as Field
    if (field !== this.#watched) this.#watch(field)
    // What is drawn meanwhile, an answer for instance, does not take back what somebody is choosing.
    if (this.#chosen !== null) {
      queueMicrotask(() => {
        if (this.#chosen !== null) field.value = this.#chosen
      })
    }
    return noChange
  }

  render(_apply: (value: string) => void): typeof noChange {
    return noChange
  }

  #watch(field: Field): void {
    this.#watched = field
    let byKeys = false
    const settle = () => {
      if (this.#chosen === null) return
      const value = this.#chosen
      this.#chosen = null
      this.#apply(value)
    }
    field.addEventListener('pointerdown', () => {
      byKeys = false
    })
    field.addEventListener('keydown', (pressed) => {
      const event = pressed as KeyboardEvent
      // What opens a list, or ends the choice from it.
      byKeys = !(event.key === 'Enter' || event.key === ' ' || event.altKey)
      if (event.key !== 'Enter' || this.#chosen === null) return
      // It would open the list again.
      event.preventDefault()
      settle()
    })
    field.addEventListener('change', () => {
      this.#chosen = field.value
      if (!byKeys) settle()
    })
    field.addEventListener('blur', () => {
      byKeys = false
      settle()
    })
  }
}

type Field = HTMLElement & { value: string }

export const settled = directive(Settled)
