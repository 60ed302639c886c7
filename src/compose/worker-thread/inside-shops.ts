import { answer as answerOfSandbox, askElsewhere } from '../../connectors/sandbox/in-process/answer.ts'
import { demoPlace } from '../../demo/demo-address.ts'
import type { DemoShops } from '../../demo/demo-shops.ts'
import { Fault } from '../../lib/fault.ts'
import type { Egress, EgressRequest } from '../../runtime/egress/egress-request.ts'
import type { Line } from '../../runtime/threads/line.ts'
import type { OfMain, PlainRequest } from './calls.ts'

/** In the main thread: the shops that live inside the process, for the other thread that asks them. */
export function answersOfInsideShops(
  demoShops: Pick<DemoShops, 'around'> | null,
): Pick<OfMain, 'demoShop' | 'sandbox'> {
  const shops = demoShops?.around(nowhere) ?? nowhere
  return {
    demoShop: (request) => shops.fetch(request),
    sandbox: ({ request, facts }) => answerOfSandbox(request, facts),
  }
}

/** Whoever asks here meant one of ours. */
const nowhere: Egress = {
  fetch: async () => {
    throw new Fault('upstream_refused', 'There is no such shop inside the service.')
  },
  close: async () => undefined,
}

/** In the other thread: the same shops, and not shops of the same name that know nothing of what was changed. */
export function askInsideShops(line: Line<OfMain>): Pick<DemoShops, 'around'> {
  askElsewhere(
    async (request, { shop, settings }) =>
      await line.ask('sandbox', { request, facts: { shop, settings: { ...settings } } }),
  )
  return {
    around: (egress) => ({
      fetch: async (request) => {
        if (!demoPlace(URL.parse(request.url)?.hostname ?? '')) return await egress.fetch(request)
        const { bytes, ...answer } = await line.ask('demoShop', plain(request))
        return { ...answer, bytes: Buffer.from(bytes) }
      },
      close: () => egress.close(),
    }),
  }
}

const plain = ({ onLarge: _, watch: __, ...request }: EgressRequest): PlainRequest => request
