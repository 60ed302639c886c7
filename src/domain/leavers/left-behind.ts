/** Something that a user made and that opens a way in or out: it is looked at when that user goes. */
export interface LeftBehind {
  kind: 'client' | 'webhook' | 'gateway_key'
  id: number
  /** What it is called, or where it leads. */
  name: string
  app_id: number | null
  integration_id: number | null
  user_id: number
  user_name: string
  /** Whether its maker has left, or is locked out. */
  gone: boolean
  created_at: string
}
