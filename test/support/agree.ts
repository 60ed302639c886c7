import type { MemorySimulator } from '../../src/simulator/simulator.ts'

/** What comes back to the app when the merchant says yes on the page that it led to. */
export async function agree(simulator: MemorySimulator, url: string): Promise<Record<string, string>> {
  const page = await simulator.answer({ method: 'GET', url, headers: {}, body: Buffer.from('') })
  if (page.status !== 200) throw new Error(`The page says ${page.status}.`)
  const decided = new URLSearchParams([...new URL(url).searchParams, ['decision', 'allow']])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const back = await simulator.answer({ method: 'POST', url, headers, body: Buffer.from(String(decided)) })
  return Object.fromEntries(new URL(back.headers['location'] ?? '').searchParams)
}
