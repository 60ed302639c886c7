import { ConfigError } from '../../config.ts'
import type { Differences } from '../../domain/descriptions/differences.ts'
import { command } from '../command.ts'
import { withProgram } from '../session.ts'

const compare = command({
  name: 'compare TYPE',
  summary: 'Say what the connector of this version makes of stored orders that an earlier version has read',
  options: {
    type: { type: 'string', value: 'TYPE', description: 'The service, such as woocommerce' },
    max: {
      type: 'string',
      value: 'N',
      description: 'How many orders of each shop are looked at, the newest first; 10000',
    },
    live: { type: 'boolean', description: 'Also ask every shop for its first page of orders' },
  },
  async run({ type, max, live = false }, output) {
    if (type === undefined) throw new ConfigError('Say "entrepot compare TYPE", as in "entrepot compare woocommerce".')
    const limit = max === undefined ? 10_000 : Number(max)
    if (!Number.isSafeInteger(limit) || limit < 1) throw new ConfigError('--max takes a whole number from 1 on.')
    const { compareType } = await import('../../domain/descriptions/compare-type.ts')
    const found = await withProgram(({ context }) => compareType(context, type, { max: limit, live }))
    const words = [
      `${found.compared} orders of ${found.shops} shops: ${countsOf(found)}`,
      ...inWords(found),
      ...(found.live ? [`${found.live.compared} orders as shops send them now: ${countsOf(found.live)}`] : []),
      ...(found.live ? inWords(found.live) : []),
    ]
    output.result(found, words.join('\n'))
    const differing = [found, ...(found.live ? [found.live] : [])].some(({ changed, failed }) => changed + failed > 0)
    if (differing) process.exitCode = 1
  },
})

const countsOf = ({ unchanged, changed, failed }: Differences): string =>
  `${unchanged} the same, ${changed} different, ${failed} not understood by both.`

const inWords = ({ fields, failures }: Differences): string[] => [
  ...fields.flatMap(({ field, count, examples }) => [
    `${field}: ${count}`,
    ...examples.map((one) => `  ${one.remote_id}: ${JSON.stringify(one.before)} becomes ${JSON.stringify(one.after)}`),
  ]),
  ...failures.map(({ reason, count, example }) => `${count} times, as in ${example}: ${reason}`),
]

export const compareCommand = {
  name: 'compare',
  summary: 'compare TYPE: what this version makes of stored orders that an earlier one has read',
  async run(args: readonly string[]) {
    const [type, ...rest] = args
    await compare.run(type !== undefined && !type.startsWith('-') ? ['--type', type, ...rest] : args)
  },
}
