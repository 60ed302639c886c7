import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import type pino from 'pino'

/** So much is written even in the middle of a turn. */
const maxGathered = 8192
/** So much waits for a reader who is slow; what comes then is lost, and counted. */
const maxWaiting = 4 * 1024 * 1024
const againMs = 50
/** Whoever ends waits for a slow reader, but not for long. */
const lastTries = 20
const errorLevel = 50

/**
 * Lines of one turn of the event loop are written together: in a flood of requests a write takes longer than the line. What has
 * gone wrong is written at once, and whatever is left when the process ends.
 *
 * Nobody waits for a log: where its reader is gone or its disk is full, lines are lost, and how many is the first thing that is
 * written once it takes some again. Pino's own destination tries until it works, and stops the whole process while it does.
 */
export function gatherLines(output: number): pino.DestinationStream {
  const file = withoutWaiting(output)
  let lines: string[] = []
  let length = 0
  /** What a slow reader has not taken yet. */
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let lost = 0
  let isDue = false
  let isWaiting = false

  const again = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      flush()
    }, againMs).unref()
  }

  /** Until there is nothing left, or nobody takes more for now. */
  const writeWaiting = () => {
    for (let [first] = waiting; first; [first] = waiting) {
      const written = write(file, first)
      if (written === null) lost += linesIn(first)
      waitingBytes -= written ?? first.length
      if (written === null || written === first.length) waiting.shift()
      else waiting[0] = first.subarray(written)
      if (written === 0) return again()
    }
  }

  const flush = () => {
    isDue = false
    if (waitingBytes > maxWaiting) lost += lines.length
    else if (lines.length > 0) {
      const bytes = Buffer.from(lines.join(''))
      waiting.push(bytes)
      waitingBytes += bytes.length
    }
    lines = []
    length = 0
    writeWaiting()
    if (lost > 0 && waiting.length === 0) sayWhatIsLost()
  }

  /** Right behind what was taken before it. */
  const sayWhatIsLost = () => {
    if (write(file, Buffer.from(lossInWords(lost)))) lost = 0
  }

  process.once('exit', () => {
    flush()
    for (let tries = 0; waiting.length > 0 && tries < lastTries; tries++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, againMs)
      flush()
    }
  })
  const stream = {
    // Has pino say of what level a line is.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      lines.push(line)
      length += line.length
      if (stream.lastLevel >= errorLevel || length >= maxGathered) return flush()
      if (!isDue) setImmediate(flush)
      isDue = true
    },
  }
  return stream
}

/** A pipe whose reader is slow holds up whoever writes, unless it was opened otherwise. */
function withoutWaiting(file: number): number {
  if (!fstatSync(file).isFIFO()) return file
  try {
    return openSync(`/dev/fd/${file}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return file
  }
}

/** How many bytes were taken, 0 where the reader is slow; null where there is nobody to take any. */
function write(file: number, bytes: Buffer): number | null {
  try {
    return writeSync(file, bytes)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 0 : null
  }
}

const linesIn = (bytes: Buffer): number => bytes.toString('latin1').split('\n').length - 1

const lossInWords = (lines: number): string =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines, msg: 'lines of the log were lost: nobody took them' })}\n`
