/** What the doctor has to say about something. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem'
  subject: string
  words: string
}
