/**
 * Every request that leaves the machine goes through here; a test sees to it that nothing in `src` goes another way.
 * Proxies and sockets of the environment are not looked at.
 */
export interface Egress {
  /**
   * Answers with whatever status came back. Fails with `upstream_refused` for what may not be reached,
   * and with `upstream_retryable` for everything that may work another time, too large an answer among it (see
   * `wasNeverSent`).
   */
  fetch(request: EgressRequest): Promise<EgressAnswer>
  close(): Promise<void>
}

export interface EgressRequest {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | null
  /** For all of it, redirects included; 30 seconds by default, 120 at most. */
  timeoutMs?: number
  /** Of the unpacked body; 10 MB by default. */
  maxBytes?: number
  /**
   * Only the beginning of the body matters: so many bytes are read, as they come, and the rest is left unread. Where the rest breaks off or
   * does not come in time, the answer is what has come of it.
   */
  excerpt?: number
  /** Called once when the body turns out to be large: what it holds of it is not read before that is settled. */
  onLarge?: () => Promise<void>
  /** Shown the bytes of a large body as they come, where they are not packed: what it throws ends the request. */
  watch?: (status: number) => (bytes: Buffer) => void
  /** How many to follow, to the same host only; none by default. */
  followRedirects?: number
}

export interface EgressAnswer {
  status: number
  /** Names in lower case; values of a repeated name joined with ", ". */
  headers: Readonly<Record<string, string>>
  bytes: Buffer
}
