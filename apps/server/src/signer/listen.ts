import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { LONGEST_LINE } from './protocol.ts'
import { answer, type SignerParts } from './service.ts'

/**
 * Serves the signer on a unix socket that only our own user can open.
 * @returns the server, once it listens
 * @throws Error when another signer listens there
 */
export async function listen(path: string, parts: SignerParts): Promise<Server> {
  if (await answers(path)) throw new Error(`A signer listens at ${path} already.`)
  rmSync(path, { force: true })
  const server = createServer(socket => serve(socket, parts))
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
  } finally {
    process.umask(before)
  }
  return server
}

function serve(socket: Socket, parts: SignerParts): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('error', () => socket.destroy())
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    if (rest.length > LONGEST_LINE) return socket.destroy()
    for (const line of lines) {
      answer(parts, line).then(
        reply => socket.write(`${JSON.stringify(reply)}\n`),
        () => socket.destroy(),
      )
    }
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
