/** A mutant before the tests of one file. `killed`: one of them fails. `hung`: the process had to be ended. */
export interface Attempt {
  file: string
  id: string
  end: 'begun' | 'killed' | 'survived' | 'hung'
}

/** What a file says of its tests without any mutant, in the place of an id. */
export const unchanged = 'unchanged'

/** Names the file that attempts are written to, one by line. */
export const attemptsVariable = 'MUTANTS_ATTEMPTS'
