import { createServer } from 'node:net'
import { errorCode, OperatorProblem } from './problem.ts'

/** Returns a free port of 127.0.0.1. Another process may take it before it is used; callers must be ready to retry. */
export async function findFreePort(): Promise<number> {
  return tryPort(0)
}

/** Throws a Problem when `port` of `host` cannot be listened on. `setting` is the variable that sets the port. */
export async function checkPort(port: number, host: string, setting: string): Promise<void> {
  try {
    await tryPort(port, host)
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') {
      throw new OperatorProblem(
        `Port ${port} on ${host} is in use. Stop the process that uses it, or set ${setting} to another port.`,
      )
    }
    if (errorCode(error) === 'EACCES') {
      throw new OperatorProblem(
        `Port ${port} on ${host} is not allowed to this user. Set ${setting} to a port above 1023.`,
      )
    }
    throw error
  }
}

function tryPort(port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}
