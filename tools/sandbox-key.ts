import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, Problem } from '@coffer/local/problem.ts'

/**
 * Returns the secret key that the sandbox makes ready: `COFFER_SANDBOX_KEY`, or one made at the first start and stored
 * in the data folder. Throws a Problem for a value that is not a test key.
 */
export function sandboxKey(dataDir: string, given = process.env.COFFER_SANDBOX_KEY): string {
  if (given) {
    if (/^sk_test_[A-Za-z0-9_-]{20,92}$/.test(given)) return given
    throw new Problem('COFFER_SANDBOX_KEY is no test key: use sk_test_ followed by 20 to 92 letters, digits, - or _')
  }
  const path = join(dataDir, 'sandbox-key')
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const key = `sk_test_${randomBytes(32).toString('base64url')}`
    writeFileSync(path, `${key}\n`, { mode: 0o600 })
    return key
  }
}
