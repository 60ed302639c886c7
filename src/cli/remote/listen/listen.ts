import { eventTypes } from '../../../domain/events/event.ts'
import type { Output } from '../../command.ts'
import { remoteCommand } from '../connect.ts'
import { failure } from '../failure.ts'
import { look } from '../look.ts'
import { follow } from './follow.ts'
import { type ForwardedEvent, forward, forwardingUrl, inWords, type Target } from './forward.ts'

/** So many are remembered for being sent again. */
const maxRemembered = 1000

export const listenCommand = remoteCommand({
  name: 'listen',
  summary: 'Post the events of an app to an address on this machine, signed like webhooks',
  options: {
    'forward-to': {
      type: 'string',
      value: 'URL',
      description: 'Such as http://localhost:8080/hooks; without it events are only shown',
    },
    events: { type: 'string', value: 'LIST', description: 'Only these types, separated by commas; all by default' },
    'print-secret': { type: 'boolean', description: 'Print nothing but the secret first, for scripts' },
  },
  async run(values, output, _given, connect) {
    const to = values['forward-to'] === undefined ? null : forwardingUrl(values['forward-to'])
    const events = typesIn(values.events)
    const connection = await connect()
    if (connection.token.kind === 'client') {
      throw failure('not_allowed', 'This token is an app’s. Listening takes a person’s: entrepot login')
    }
    const appId = await connection.appId()
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    const hands = handsFor(to, output)
    const keys = readKeys({ resend: () => hands.resendFailed(), last: () => hands.resendLast(), quit: end })
    try {
      await follow(connection, {
        appId,
        events,
        signal: stop.signal,
        onOpen: ({ id, secret }) => {
          hands.target(secret)
          output.result({ listener: id, secret, forward_to: to }, opened(id, secret, to, events))
        },
        onLost: (why) =>
          output.say(look('yellow', `Connection lost (${why}). Trying again; nothing is missed meanwhile.`)),
        onBack: () => output.say(look('green', 'Connected again.')),
        onGap: () =>
          output.say(
            look('red', 'Away for more than an hour: what happened meanwhile was not kept. See "entrepot replay".'),
          ),
        onEvent: (event) => hands.take(event),
      })
    } finally {
      keys.close()
    }
  },
})

function typesIn(text: string | undefined): readonly string[] {
  if (text === undefined) return ['*']
  const wanted = text
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  const unknown = wanted.find((type) => type !== '*' && !eventTypes.some((known) => known === type))
  if (unknown !== undefined)
    throw failure('invalid', `There is no event "${unknown}". There are: ${eventTypes.join(', ')}`)
  return wanted
}

const opened = (id: number, secret: string, to: string | null, events: readonly string[]): string =>
  [
    `Listening to ${events.includes('*') ? 'every event' : events.join(', ')}${to === null ? '' : `, posting to ${to}`}.`,
    `  secret    ${secret}`,
    `  a sample  entrepot trigger order.created --listener ${id}`,
    `  keys      r sends again what failed, l the last one, q ends`,
    '',
  ].join('\n')

/** One message after the other, in the order of the feed: what waits behind a slow answer stays in its order. */
function handsFor(to: string | null, output: Output) {
  let target: Target | null = null
  const remembered = new Map<string, ForwardedEvent>()
  const failed = new Set<string>()
  let last: ForwardedEvent | null = null
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  async function post(event: ForwardedEvent): Promise<void> {
    if (target === null) {
      output.result(event, `${look('cyan', event.type.padEnd(24))} ${event.id}  ${JSON.stringify(event.data)}`)
      return
    }
    const outcome = await forward(event, target)
    if (outcome.ok) failed.delete(event.id)
    else failed.add(event.id)
    output.result(outcome, inWords(outcome))
  }

  function remember(event: ForwardedEvent) {
    last = event
    remembered.set(event.id, event)
    const [oldest] = remembered.keys()
    if (remembered.size > maxRemembered && oldest !== undefined) {
      remembered.delete(oldest)
      failed.delete(oldest)
    }
  }

  return {
    target(secret: string) {
      target = to === null ? null : { url: to, secret }
    },
    take: (event: ForwardedEvent) =>
      inTurn(async () => {
        remember(event)
        await post(event)
      }),
    resendFailed: () =>
      inTurn(async () => {
        if (failed.size === 0) output.say(look('dim', 'Nothing has failed.'))
        for (const id of [...failed]) {
          const event = remembered.get(id)
          if (event) await post(event)
        }
      }),
    resendLast: () =>
      inTurn(async () => {
        if (last === null) output.say(look('dim', 'There was no event yet.'))
        else await post(last)
      }),
  }
}

/** At a terminal each key counts at once; what is piped in is read the same way. */
function readKeys(actions: { resend: () => unknown; last: () => unknown; quit: () => void }) {
  const { stdin } = process
  const see = (text: string) => {
    for (const key of text) {
      if (key === 'r') void actions.resend()
      else if (key === 'l') void actions.last()
      else if (key === 'q' || key === '\u0003') actions.quit()
    }
  }
  if (stdin.isTTY) stdin.setRawMode(true)
  stdin
    .setEncoding('utf8')
    .on('data', see)
    .on('error', () => undefined)
  stdin.unref?.()
  return {
    close() {
      if (stdin.isTTY) stdin.setRawMode(false)
      stdin.off('data', see).pause()
    },
  }
}
