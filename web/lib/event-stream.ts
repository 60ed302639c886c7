/**
 * Server-sent events by `fetch`, since `EventSource` sends no headers. A stream that was cut is taken up again where it was, after
 * a pause that grows while nobody answers; what is refused for good is said once and not asked for again.
 */
export interface StreamEvent {
  id: string
  type: string
  data: string
}

export interface EventStream {
  close(): void
}

const firstPauseMs = 1000
const maxPauseMs = 30_000
/** No heartbeat for so long: the connection is gone without a word. */
const silentMs = 45_000

const isFinal = (status: number) => status >= 400 && status < 500 && status !== 429 && status !== 408

export function openEventStream(options: {
  url: string
  headers: Readonly<Record<string, string>>
  onEvent: (event: StreamEvent) => void
  /** True while it flows. */
  onState: (isOpen: boolean) => void
  onRefused?: (status: number) => void
}): EventStream {
  const closing = new AbortController()
  let last: string | null = null

  async function flow(): Promise<'again' | 'refused'> {
    const silence = new AbortController()
    let watch = setTimeout(() => silence.abort(), silentMs)
    try {
      const answer = await fetch(options.url, {
        headers: { ...options.headers, accept: 'text/event-stream', ...(last !== null && { 'last-event-id': last }) },
        signal: AbortSignal.any([closing.signal, silence.signal]),
        cache: 'no-store',
      })
      if (!answer.ok || answer.body === null) {
        if (!isFinal(answer.status)) return 'again'
        options.onRefused?.(answer.status)
        return 'refused'
      }
      options.onState(true)
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return 'again'
        clearTimeout(watch)
        watch = setTimeout(() => silence.abort(), silentMs)
        text += value
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = eventIn(block)
          if (!event) continue
          last = event.id
          options.onEvent(event)
        }
      }
    } finally {
      clearTimeout(watch)
      options.onState(false)
    }
  }

  async function keepFlowing(): Promise<void> {
    let pause = firstPauseMs
    while (!closing.signal.aborted) {
      const begun = performance.now()
      const end = await flow().catch(() => 'again' as const)
      if (end === 'refused') return
      if (performance.now() - begun > silentMs) pause = firstPauseMs
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause)
        closing.signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
      pause = Math.min(pause * 2, maxPauseMs)
    }
  }
  void keepFlowing()
  return { close: () => closing.abort() }
}

function eventIn(block: string): StreamEvent | null {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
      return name === '' ? [] : [[name, value] as const]
    }),
  )
  const data = fields.get('data')
  return data === undefined ? null : { id: fields.get('id') ?? '', type: fields.get('event') ?? 'message', data }
}
