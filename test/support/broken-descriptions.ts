import { drawLots } from './chance.ts'
import { byClient, byCode, guarded, linked, paged } from './described-services.ts'

type Tree = { [name: string]: unknown }

export interface Broken {
  /** Where it was broken. */
  at: string
  definition: Tree
}

/** Every place of a description, as names with dots between. */
function placesOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([name, one]) => placesOf(one, at === '' ? name : `${at}.${name}`))
  return at === '' ? inner : [at, ...inner]
}

/** What nobody takes at any place: too long, too odd, or of no kind that a description has. */
const nonsense: readonly unknown[] = [
  ...[[[[[]]]], [null], { a: { b: 1 } }, -1e99, 1.5, '\u0000', 'x'.repeat(5000), { __proto__: null, select: '' }],
  ...[{ select: 'a[' }, { at: 'a', select: 'b' }, { template: 'none' }, { value: 1, zone: 'Mars/Olympus' }],
  ...[{ select: 'let $a = b in $a' }, { at: '__proto__.polluted' }, '../../etc/passwd', 'javascript:alert(1)'],
]

/** The description with something else at a place; `undefined` takes it away. */
export function changedAt(definition: object, place: string, change: (inner: Tree, last: string) => void): Tree {
  const copy: Tree = structuredClone({ ...definition })
  const names = place.split('.')
  const last = names.pop() ?? ''
  change(
    names.reduce<Tree>((at, name) => at[name] as Tree, copy),
    last,
  )
  return copy
}

/** Slips and malice, drawn by lot. Some do no harm: whoever asks counts those that are refused. */
export function brokenDescriptions(count: number): Broken[] {
  const lots = drawLots('broken descriptions')
  return Array.from({ length: count }, () => {
    const definition = lots.pick([paged, linked, guarded, byClient, byCode])
    const at = lots.pick(placesOf(definition))
    const way = lots.below(3)
    const broken = changedAt(definition, at, (inner, last) => {
      const value = inner[last]
      if (way === 0) Object.assign(inner, { [last]: lots.pick(nonsense) })
      else if (Array.isArray(inner)) inner.splice(Number(last), 1, lots.pick(nonsense))
      else delete inner[last]
      // A slip of the finger in a name.
      if (way === 1 && !Array.isArray(inner)) Object.assign(inner, { [`${last}x`]: value })
    })
    return { at, definition: broken }
  })
}
