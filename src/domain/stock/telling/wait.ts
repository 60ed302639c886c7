const maxSeconds = 600

/** So often a shop is tried at short intervals, which is about three minutes: bad weather has mostly passed by then. */
const patience = 25
const shortSeconds = 8

/**
 * Until a shop is told again that did not answer: half a second, one, two, four, then every eight seconds for some minutes; from there on twice as long each time. A level
 * that failed by bad luck several times in a row is not to be wrong for a minute when everything is well again.
 */
export const waitAfter = (attempts: number): number =>
  attempts <= patience
    ? Math.min(shortSeconds, 2 ** (attempts - 1))
    : Math.min(maxSeconds, shortSeconds * 2 ** Math.min(attempts - patience, 10))

/** Until it is told what it has said no to: eight seconds, and from there on twice as long each time. */
export const waitAfterNo = (attempts: number): number =>
  Math.min(maxSeconds, shortSeconds * 2 ** Math.min(attempts, 10))
