// A process that reports events or sends messages until it is killed: `message-process.ts <database> <what> <value>`.
import { pino } from 'pino'
import { sendMessages } from '../domains/notifications/sender.ts'
import { tx } from '../kit/db.ts'
import { events } from '../kit/outbox.ts'
import { makePool } from '../make-deps.ts'
import { smtpMailer } from '../outside/mail.ts'
import { makeTestDeps } from './deps.ts'

const [database = '', what = '', ...values] = process.argv.slice(2)
const pool = makePool(database, pino({ level: 'silent' }))

/** Reports events numbered from `first`, each in a transaction of its own, and prints each number once committed. */
async function reportEvents([merchant_id = '', first = '']: string[]): Promise<void> {
  const { clock } = makeTestDeps({ pool })
  for (let n = Number(first); ; n++) {
    await tx(pool, async (_, uow) =>
      uow.add(events, [{ merchant_id, name: 'account_passkey_added', params: { name: `${n}` }, created_at: clock() }]),
    )
    process.stdout.write(`${n}\n`)
  }
}

/** Sends what is due to the mail server at a port, so many seconds after the start of the test. */
function sendMails([port = '', passed = '']: string[]): Promise<void> {
  const settings = { smtpBackupUrl: '', mailFrom: 'no-reply@example.com', publicUrl: 'https://pay.example.com' }
  const mail = smtpMailer({ ...settings, smtpUrl: `smtp://127.0.0.1:${port}` }, { timeoutMs: 10_000 })
  const deps = makeTestDeps({ pool, mail })
  deps.pass(Number(passed))
  return sendMessages(deps, new AbortController().signal)
}

await (what === 'report' ? reportEvents(values) : sendMails(values))
