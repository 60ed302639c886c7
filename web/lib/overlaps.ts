/**
 * Questions whose answers may overlap: the one to the latest counts, in whatever order they come. What asks by the clock waits for its
 * answer first: of a service that is slower than the clock none would ever be the latest.
 */
export interface Questions {
  /** Asks. What it gives says, once there is an answer, whether that still counts. */
  ask(): () => boolean
  /** Whether there is an answer to come. */
  readonly waits: boolean
  /** Nobody is there to hear what was asked. */
  drop(): void
}

export function questions(): Questions {
  let latest = 0
  let answered = 0
  return {
    ask() {
      const own = ++latest
      return () => {
        answered = Math.max(answered, own)
        return own === latest
      }
    },
    get waits() {
      return answered < latest
    },
    drop() {
      answered = ++latest
    },
  }
}

/** Whoever presses twice asks once: what was begun is not begun again before it has ended. */
export function oneAtATime<Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<unknown>,
): (...given: Given) => Promise<void> {
  let isBusy = false
  return async (...given) => {
    if (isBusy) return
    isBusy = true
    try {
      await work(...given)
    } finally {
      isBusy = false
    }
  }
}
