import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFolder } from '@coffer/local/lock.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { serveSignerSocket } from './listen.ts'
import { checkTreasuries, readPolicy } from './policy-file.ts'
import { SigningRecord } from './record.ts'
import { openSeedFile } from './seed-file.ts'
import { resolveSignerSocketPath } from './socket-path.ts'

const LOCK_TRIES = 15
const LOCK_PAUSE_MS = 200

/**
 * The signer process: `node signer/main.ts <folder> [--child]`. The folder holds seed.json, policy.json and
 * signed.jsonl. The passphrase is read from COFFER_SIGNER_PASSPHRASE, from the file named by
 * COFFER_SIGNER_PASSPHRASE_FILE, or from the file `passphrase` in the folder. COFFER_SIGNER_SOCKET names a socket
 * outside the folder, which the socket's group may open. Prints one line, `ready <socket>`, once it listens. With
 * --child it exits when its standard input closes, which happens when the parent dies.
 */
async function main(folder: string, child: boolean): Promise<void> {
  await lock(folder)
  const keys = await openSeedFile(join(folder, 'seed.json'), passphrase(folder))
  const policy = await readPolicy(join(folder, 'policy.json'))
  checkTreasuries(policy, keys)
  const now = () => Math.floor(Date.now() / 1000)
  const record = new SigningRecord(join(folder, 'signed.jsonl'), now())
  const shared = process.env.COFFER_SIGNER_SOCKET
  const path = shared || resolveSignerSocketPath(folder)
  const server = await serveSignerSocket(path, { keys, policy, record, now }, Boolean(shared))
  const end = () => {
    server.close()
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (child) process.stdin.on('end', end).on('close', end).resume()
  process.stdout.write(`ready ${path}\n`)
}

/** Locks the folder: two signers would each allow the full limits. Waits for an orphaned signer to exit. */
async function lock(folder: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await lockFolder(folder, 'signer')
      return
    } catch (error) {
      if (!(error instanceof OperatorProblem) || tries === LOCK_TRIES) throw error
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

function passphrase(folder: string): string {
  const given = process.env.COFFER_SIGNER_PASSPHRASE
  delete process.env.COFFER_SIGNER_PASSPHRASE
  if (given) return given
  const file = process.env.COFFER_SIGNER_PASSPHRASE_FILE ?? join(folder, 'passphrase')
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
}

const [folder, flag] = process.argv.slice(2)
if (!folder) throw new Error('usage: node signer/main.ts <folder> [--child]')
await main(folder, flag === '--child').catch((error: Error) => {
  process.stderr.write(`The signer cannot start. ${error.message}\n`)
  process.exit(1)
})
