import type { PlatformFacts } from './platform-facts.ts'

/** Its dialect is our own: there is nothing to hold it against. */
export const facts: PlatformFacts = {
  skusOnce: 'a SKU is the name of an article',
  lacking: [[{ lacks: 'write' }, /write\..*"readonly"/]],
  specifications: [],
}
