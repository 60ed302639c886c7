import type { Row } from '../report.ts'
import { median, spread } from '../support/statistics.ts'
import type { Turns } from './closed-loop.ts'
import type { Way, Work } from './peer.ts'

/** One way to ask a peer, and what came of it. */
export interface Beside {
  peer: string
  version: string
  way: Pick<Way, 'work' | 'by' | 'target'>
  turns: Turns
}

const words: Readonly<Record<Work, string>> = {
  list: 'a page of a list with its exact total',
  read: 'one order read',
  create: 'one order created',
  intake: 'one message taken in',
}

/** How many times as much we do in the same time. */
export function peerRow({ peer, version, way: { work, by, target }, turns }: Beside): Row {
  const { ours, theirs, ratios } = turns
  const rate = (paces: typeof ours) => {
    const perSecond = median(paces.map((pace) => pace.perSecond))
    return `${perSecond < 100 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString('en')}/s`
  }
  const half = (paces: typeof ours) => `${Math.round(median(paces.map(({ p50 }) => p50))).toLocaleString('en')} ms`
  const times = median(ratios)
  return {
    measured: `${peer} ${version}, ${words[work]}${by ? ` (${by})` : ''}: how many times as fast we are`,
    target: target === undefined ? '' : `≥ ${target}`,
    result: times.toFixed(1),
    spread: spread(ratios, 1),
    rounds: { values: ratios, better: 'more' },
    absolute: `${rate(ours)} against ${rate(theirs)}; half within ${half(ours)} against ${half(theirs)}`,
    pass: target === undefined ? null : times >= target,
  }
}
