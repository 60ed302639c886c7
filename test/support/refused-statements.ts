import pg from 'pg'

/** The forms of statements that Citus does not take (0A000), on whatever connection of this process, also where nobody looks at what became of them. */
const refused: string[] = []
let isListening = false

/** What was refused since this was asked last. */
export const takeRefused = (): string[] => refused.splice(0)

export function listenForRefusals(): void {
  if (isListening) return
  isListening = true
  const { connect } = pg.Client.prototype
  pg.Client.prototype.connect = function (this: pg.Client & { connection: pg.Connection }, ...given: []) {
    this.connection.on('errorMessage', ({ code, message }: { code: string; message: string }) => {
      // A plan that no longer fits has the same code, and is made anew.
      if (code === '0A000' && !message.startsWith('cached plan')) refused.push(message)
    })
    return Reflect.apply(connect, this, given)
  } as typeof connect
}
