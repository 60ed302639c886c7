import type { PlatformFacts } from './platform-facts.ts'

/** Its dialect is our own: there is nothing to hold it against. */
export const facts: PlatformFacts = {
  lacking: [[{ lacks: 'write' }, /write\..*"readonly"/]],
  specifications: [],
}
