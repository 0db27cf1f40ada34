import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFolder } from '@coffer/local/lock.ts'
import { Problem } from '@coffer/local/problem.ts'
import { Keys } from './keys.ts'
import { listen } from './listen.ts'
import { readPolicy } from './policy-file.ts'
import { SignedRecord } from './record.ts'
import { openSeedFile } from './seed-file.ts'
import { socketPath } from './socket-path.ts'

const LOCK_TRIES = 15
const LOCK_PAUSE_MS = 200

/**
 * The signer's process: `node signer/main.ts <folder> [--child]`. The folder holds seed.json, policy.json and
 * signed.jsonl. The passphrase is COFFER_SIGNER_PASSPHRASE, or in the file that COFFER_SIGNER_PASSPHRASE_FILE names,
 * or in `passphrase` in the folder. It writes one line, `ready` and its socket, when it listens. As a child it ends
 * when its standard input does, which is when its parent is gone.
 */
async function main(folder: string, child: boolean): Promise<void> {
  await lock(folder)
  const seed = await openSeedFile(join(folder, 'seed.json'), passphrase(folder))
  const policy = await readPolicy(join(folder, 'policy.json'))
  const now = () => Math.floor(Date.now() / 1000)
  const record = new SignedRecord(join(folder, 'signed.jsonl'), now())
  const path = socketPath(folder)
  const server = await listen(path, { keys: new Keys(seed), policy, record, now })
  const end = () => {
    server.close()
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (child) process.stdin.on('end', end).on('close', end).resume()
  process.stdout.write(`ready ${path}\n`)
}

/** Two signers would each count to the limits. One whose parent was killed is given a moment to end. */
async function lock(folder: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await lockFolder(folder, 'signer')
      return
    } catch (error) {
      if (!(error instanceof Problem) || tries === LOCK_TRIES) throw error
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
