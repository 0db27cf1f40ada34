import { type AddressInfo, createServer, type Socket } from 'node:net'

interface Scope {
  after: (end: () => unknown) => void
}

/** How the mail server behaves: a refusal of a command, or that it is silent, or closes once it has a mail. */
export type Mood = 'well' | { at: 'greeting' | 'RCPT' | 'DATA'; reply: string } | 'hangs' | 'closes after DATA'

interface State {
  mood: Mood
  /** Message-IDs of what was taken over. */
  taken: string[]
  connections: number
  /** Called when a mail was taken over, and then answered. */
  onTaken?: () => void
}

/** A mail server (RFC 5321) that keeps the Message-IDs of what it has taken over. */
export async function startMailServer(t: Scope) {
  const state: State = { mood: 'well', taken: [], connections: 0 }
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    state.connections++
    serve(socket, state)
  })
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of open) socket.destroy()
    return new Promise(resolve => server.close(resolve))
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  t.after(close)
  return { state, port, close, listen: () => listen(port) }
}

function serve(socket: Socket, state: State): void {
  let mail: string | undefined
  const reply = (line: string) => void socket.write(`${line}\r\n`)
  const refusal = (at: 'greeting' | 'RCPT' | 'DATA') =>
    typeof state.mood === 'object' && state.mood.at === at ? state.mood.reply : undefined
  const take = (body: string) => {
    state.taken.push(/^Message-ID: <(.+)@pay\.example\.com>/im.exec(body)![1]!)
    if (state.mood === 'closes after DATA') socket.destroy()
    else reply('250 taken')
    state.onTaken?.()
  }
  const command = (line: string) => {
    if (/^(EHLO|HELO|MAIL)/.test(line)) reply('250 ok')
    else if (/^RCPT/.test(line)) reply(refusal('RCPT') ?? '250 ok')
    else if (/^QUIT/.test(line)) socket.end('221 bye\r\n')
    else if (line === 'DATA' && state.mood !== 'hangs') {
      if (!refusal('DATA')) mail = ''
      reply(refusal('DATA') ?? '354 go on')
    }
  }
  let rest = ''
  socket.on('error', () => {})
  socket.on('data', chunk => {
    rest += chunk
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      if (mail === undefined) command(line)
      else if (line !== '.') mail += `${line}\r\n`
      else {
        const body = mail
        mail = undefined
        take(body)
      }
    }
  })
  reply(refusal('greeting') ?? '220 mail.example.com')
}
