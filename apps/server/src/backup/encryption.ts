import { readFileSync } from 'node:fs'
import { ReadableStream } from 'node:stream/web'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'

/**
 * Backups are files of the age format (https://age-encryption.org/v1), which any implementation of it reads. They are
 * encrypted to public keys, whose private key need not be on the server, or by a passphrase.
 */
export interface BackupKeys {
  /** Public keys, `age1...`; empty where a passphrase encrypts. */
  recipients: readonly string[]
  /** Private keys, `AGE-SECRET-KEY-1...`. */
  identities: readonly string[]
  passphrase: string
}

/** The fewest characters of a passphrase. */
const passphraseMin = 16
/** Exponent of the work that a guess at a passphrase takes, as the age command has it. */
const passphraseWork = 18

/**
 * Reads the keys of backups that the environment names.
 * @throws OperatorProblem when a file cannot be read or holds no key
 */
export function readBackupKeys(env: NodeJS.ProcessEnv): BackupKeys {
  const recipients = (env.COFFER_BACKUP_RECIPIENTS ?? '').split(/[\s,]+/).filter(Boolean)
  const identities = linesOf(env, 'COFFER_BACKUP_KEY_FILE').filter(line => line.startsWith('AGE-SECRET-KEY-'))
  if (env.COFFER_BACKUP_KEY_FILE && identities.length === 0)
    throw new OperatorProblem('COFFER_BACKUP_KEY_FILE holds no private key: "coffer backup key <file>" makes one')
  const [passphrase = ''] = linesOf(env, 'COFFER_BACKUP_PASSPHRASE_FILE')
  if (env.COFFER_BACKUP_PASSPHRASE_FILE && passphrase.length < passphraseMin)
    throw new OperatorProblem(
      `the passphrase in COFFER_BACKUP_PASSPHRASE_FILE is too short: use ${passphraseMin} characters`,
    )
  return { recipients, identities, passphrase }
}

function linesOf(env: NodeJS.ProcessEnv, name: 'COFFER_BACKUP_KEY_FILE' | 'COFFER_BACKUP_PASSPHRASE_FILE'): string[] {
  const path = env[name]
  if (!path) return []
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/)
  } catch (error) {
    throw new OperatorProblem(`${name} cannot be read: ${(error as Error).message}`)
  }
}

/** Makes a pair of keys. */
export async function createBackupKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateIdentity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/**
 * Encrypts a stream.
 * @param work exponent of the work of a passphrase, smaller in tests
 * @throws OperatorProblem when no key or passphrase is configured, or a key is none
 */
export async function encryptBackup(
  plain: AsyncIterable<Uint8Array>,
  { recipients, passphrase }: BackupKeys,
  work = passphraseWork,
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter()
  if (recipients.length > 0)
    for (const each of recipients) {
      try {
        encrypter.addRecipient(each)
      } catch {
        throw new OperatorProblem(`${each} in COFFER_BACKUP_RECIPIENTS is no public key of age`)
      }
    }
  else if (passphrase) {
    encrypter.setScryptWorkFactor(work)
    encrypter.setPassphrase(passphrase)
  } else
    throw new OperatorProblem(
      'Nothing says how backups are encrypted: set COFFER_BACKUP_RECIPIENTS to the public key that "coffer backup key <file>" prints, or COFFER_BACKUP_PASSPHRASE_FILE',
    )
  return iterate(await encrypter.encrypt(streamOf(plain)))
}

/** A backup is not what was written. */
export class DamagedBackup extends OperatorProblem {}

/**
 * Decrypts a stream. Each part of it is authenticated before it is yielded, and its end as well.
 * @throws OperatorProblem when none of the keys opens it, DamagedBackup when it was changed or cut off
 */
export async function* decryptBackup(
  sealed: AsyncIterable<Uint8Array>,
  { identities, passphrase }: BackupKeys,
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  for (const each of identities) decrypter.addIdentity(each)
  if (passphrase) decrypter.addPassphrase(passphrase)
  let failure: unknown
  const noted = noteFailure(sealed, error => {
    failure = error
  })
  let plain: AsyncIterable<Uint8Array>
  try {
    plain = iterate(await decrypter.decrypt(streamOf(noted)))
  } catch (error) {
    if (failure) throw failure
    if (!/no identity matched/.test((error as Error).message))
      throw new DamagedBackup('The file is no backup, or its beginning is damaged')
    throw new OperatorProblem(
      identities.length > 0 || passphrase
        ? 'None of the given keys opens this backup: it was encrypted to others, or the passphrase is wrong'
        : 'Nothing opens this backup: set COFFER_BACKUP_KEY_FILE to its private key, or COFFER_BACKUP_PASSPHRASE_FILE',
    )
  }
  try {
    yield* plain
  } catch {
    throw failure ?? new DamagedBackup('The backup is damaged: it was cut off, or changed since it was written')
  }
}

async function* noteFailure(chunks: AsyncIterable<Uint8Array>, note: (error: unknown) => void) {
  try {
    yield* chunks
  } catch (error) {
    note(error)
    throw error
  }
}

type AgeStream = Parameters<Encrypter['encrypt']>[0] & globalThis.ReadableStream<Uint8Array>
const streamOf = (chunks: AsyncIterable<Uint8Array>) => ReadableStream.from(chunks) as unknown as AgeStream
const iterate = (stream: unknown) => stream as AsyncIterable<Uint8Array>
