import type { Output } from '../command.ts'
import { remoteCommand } from './connect.ts'
import { failure } from './failure.ts'
import { type AppClient, library } from './library.ts'
import { duration, look, moment, plain } from './look.ts'

type Passport = Awaited<ReturnType<AppClient['orders']['find']>>

export const ordersCommand = remoteCommand({
  name: 'orders',
  summary: 'orders find NUMBER: where an order is, step by step',
  arguments: [
    { name: 'WHAT', description: 'find', required: true, values: ['find'] },
    { name: 'NUMBER', description: 'The number that the shop gave it', required: true },
  ],
  options: { shop: { type: 'string', value: 'ID', description: 'In one shop only' } },
  async run({ shop }, output, [, number = ''], connect) {
    const client = await (await connect()).app()
    try {
      show(await client.orders.find(number, shop === undefined ? {} : { integration_id: shop }), output)
    } catch (error) {
      if (!(error instanceof library.NotFoundError)) throw error
      throw failure('not_found', [`Order ${number} is not here.`, ...whyNot(error.body)].join('\n'), error.requestId)
    }
  },
})

const marks = { done: look('green', '●'), waiting: look('yellow', '○'), failed: look('red', '✕') } as const

function show(passport: Passport, output: Output): void {
  if (output.json) {
    output.result(passport, '')
    return
  }
  const { order, steps, truncated } = passport
  output.say(
    `${look('bold', `Order ${plain(order.number ?? order.remote_id)}`)}  ${order.status}  shop ${order.integration_id}, id ${order.id}\n`,
  )
  if (truncated) output.say(look('dim', '  ⋮ older steps are not shown'))
  for (const [n, step] of steps.entries()) {
    const since = n > 0 && step.duration_ms !== null ? look('dim', `  +${duration(step.duration_ms)}`) : ''
    const mark = marks[step.status as keyof typeof marks] ?? '●'
    output.say(`  ${mark} ${moment(step.at)}  ${plain(step.title)}${since}`)
    if (n < steps.length - 1) output.say(look('dim', '  │'))
  }
  const { others = [] } = passport as { others?: readonly { id: number; integration_id: number }[] }
  if (others.length > 0) {
    const shops = others.map((one) => one.integration_id).join(', ')
    output.say(`\nOlder orders with the same number: ${others.length} (shops ${shops}). Name one with --shop.`)
  }
}

/** Whatever the service says of an order that it does not have. */
function whyNot(body: unknown): string[] {
  const { message, explanation, reason } = (body ?? {}) as Record<string, unknown>
  return [explanation, message, typeof reason === 'string' ? `Reason: ${reason}` : null].filter(
    (text): text is string => typeof text === 'string' && text !== 'Not found.',
  )
}
