/** Which client still calls version 1.0, and what. */
export interface V1Usage {
  client_id: number
  client_name: string
  method: string
  route: string
  calls: number
  first_called_at: string
  last_called_at: string
}
