/**
 * The window in which a merchant allows access. It is opened by the click itself, before anything is asked, because
 * browsers block whatever opens later.
 */
export interface PopUp {
  go(address: string): void
  focus(): void
  close(): void
  readonly closed: boolean
}

/** `language`: of the element, for the service's own pages in the window. */
export function openPopUp(language: string): PopUp | null {
  const [width, height] = [720, 780]
  const left = Math.max(0, screenX + (outerWidth - width) / 2)
  const top = Math.max(0, screenY + (outerHeight - height) / 2)
  const opened = open('', '', `popup,width=${width},height=${height},left=${left},top=${top}`)
  if (!opened) return null
  return {
    go: (address) => {
      opened.location.replace(`${address}#lang=${encodeURIComponent(language)}`)
    },
    focus: () => opened.focus(),
    close: () => opened.close(),
    get closed() {
      return opened.closed
    },
  }
}

export interface Arrived {
  connected: boolean
  integrationId: number | null
  message: string
  /** What the message follows from, for other languages than English. */
  reason: unknown
}

/** What the service's own page says when the merchant has come back. Anything from elsewhere is not for us. */
export function onArrival(origin: string, onMessage: (arrived: Arrived) => void): () => void {
  const listen = (event: MessageEvent) => {
    if (event.origin !== origin || typeof event.data !== 'object' || event.data === null) return
    const { source, connected, integration_id: id, message, reason } = event.data as Record<string, unknown>
    if (source !== 'entrepot' || typeof connected !== 'boolean') return
    onMessage({ connected, integrationId: typeof id === 'number' ? id : null, message: String(message ?? ''), reason })
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
