import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Keys } from '../signer/keys.ts'
import { serveSignerSocket } from '../signer/listen.ts'
import type { SignerPolicy } from '../signer/policy.ts'
import { SigningRecord } from '../signer/record.ts'

export type Answer = { id: number; result?: unknown; refused?: string }

/** Lets `use` have a signer, which ends with it: one left open would keep the process of a failed test. */
export async function withSigner(
  keys: Keys,
  policy: SignerPolicy,
  use: (signer: Awaited<ReturnType<typeof signerOn>>) => Promise<void>,
): Promise<void> {
  const ends: (() => unknown)[] = []
  try {
    await use(await signerOn({ after: end => void ends.push(end as () => unknown) }, keys, policy))
  } finally {
    for (const end of ends) await end()
  }
}

/** A signer on a socket of its own. `send` writes all lines of a connection at once and returns the answers by line. */
export async function signerOn(t: Pick<TestContext, 'after'>, keys: Keys, policy: SignerPolicy) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-signer-'))
  const record = new SigningRecord(join(folder, 'signed.jsonl'), 0)
  let now = 1_700_000_000
  const path = join(folder, 'signer.sock')
  const server = await serveSignerSocket(path, { keys, policy, record, now: () => now })
  const close = async () => {
    await new Promise(resolve => server.close(resolve))
    record.close()
    rmSync(folder, { recursive: true })
  }
  t.after(close)
  const send = (messages: readonly object[]) => sendLines(messages.map((each, id) => JSON.stringify({ id, ...each })))
  const sendLines = async (messages: readonly string[]): Promise<Answer[]> => {
    const socket = connect(path).setEncoding('utf8')
    await once(socket, 'connect')
    let text = ''
    const closed = once(socket, 'close')
    const answered = new Promise<void>(resolve => {
      socket.on('data', more => {
        text += more
        if (text.split('\n').length > messages.length) resolve()
      })
    })
    socket.write(messages.map(line => `${line}\n`).join(''))
    await Promise.race([answered, closed])
    socket.destroy()
    const answers = text.split('\n').slice(0, -1)
    return answers.map((line): Answer => JSON.parse(line)).sort((a, b) => a.id - b.id)
  }
  return {
    send,
    sendLines,
    record,
    later: (seconds: number) => {
      now += seconds
    },
    clock: () => now,
  }
}
