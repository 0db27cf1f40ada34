import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { MAX_LINE_BYTES, type SignerAnswer } from './protocol.ts'
import { answerSignerRequest, type SignerDeps } from './service.ts'

/**
 * Serves the signer on a Unix socket that only the current user can open, or also the socket's group (`isShared`). The
 * caller must hold the lock of the signer's folder: a socket found at `path` is then stale.
 * @returns the listening server
 */
export async function serveSignerSocket(path: string, parts: SignerDeps, isShared = false): Promise<Server> {
  rmSync(path, { force: true })
  const server = createServer(socket => serve(socket, parts))
  const before = process.umask(isShared ? 0o117 : 0o177)
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

function serve(socket: Socket, parts: SignerDeps): void {
  let rest = ''
  /** Whether the rest of a line that is too long follows. */
  let isSkipped = false
  socket.setEncoding('utf8')
  socket.on('error', () => socket.destroy())
  const reply = (line: string) =>
    (line.length > MAX_LINE_BYTES ? tooLong(line) : answerSignerRequest(parts, line)).then(
      found => socket.write(`${JSON.stringify(found)}\n`),
      () => socket.destroy(),
    )
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (!isSkipped) reply(line)
      isSkipped = false
    }
    if (rest.length <= MAX_LINE_BYTES) return
    if (!isSkipped) reply(rest)
    isSkipped = true
    rest = ''
  })
}

/** Refuses a line without reading it, by the id at its beginning: others wait for answers on the connection. */
const tooLong = async (line: string): Promise<SignerAnswer> => ({
  id: Number(/^\{"id":(\d{1,15}),/.exec(line)?.[1] ?? -1),
  refused: 'bad_request',
})
