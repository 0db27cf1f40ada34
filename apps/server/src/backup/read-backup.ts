import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { type BackupKeys, DamagedBackup, decryptBackup } from './encryption.ts'
import { type BackupManifest, backupFiles, backupManifest } from './manifest.ts'
import { readTarFiles, type TarFile, TarFormatError } from './tar.ts'
import { collectText } from './write-backup.ts'

/** A backup that was read once to its end: its manifest, and its files but the database. */
export interface BackupSummary {
  manifest: BackupManifest
  files: ReadonlyMap<string, Buffer>
  /** What `pg_restore --list` says of the database. */
  contents: string
}

const isPart = (name: string) => name.startsWith(`${backupFiles.database}/`)

/** Yields the files of a backup in their order. @throws DamagedBackup, OperatorProblem */
async function* openBackup(file: string, keys: BackupKeys): AsyncGenerator<TarFile> {
  const stream = createReadStream(file, { highWaterMark: 2 ** 20 })
  try {
    yield* readTarFiles(decryptBackup(stream, keys))
  } catch (error) {
    if (error instanceof TarFormatError) throw new DamagedBackup(`The backup is damaged: ${error.message}`)
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new OperatorProblem(`There is no file ${file}`) : error
  } finally {
    stream.destroy()
  }
}

/**
 * Reads a backup to its end and compares every file with the sum in its manifest, before anything is restored from it.
 * @param program `pg_restore`, which must be able to read the database in it
 * @throws DamagedBackup, OperatorProblem
 */
export async function summarizeBackup(file: string, keys: BackupKeys, program: string): Promise<BackupSummary> {
  const files = new Map<string, Buffer>()
  const found = new Map<string, { bytes: number; sha256: string }>()
  const sum = createHash('sha256')
  let bytes = 0
  const list = new ContentsList(program)
  try {
    for await (const { name, content } of openBackup(file, keys)) {
      if (isPart(name)) {
        sum.update(content)
        bytes += content.length
        await list.write(content)
        continue
      }
      files.set(name, content)
      found.set(name, { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    }
    found.set(backupFiles.database, { bytes, sha256: sum.digest('hex') })
    const manifest = parseManifest(files.get(backupFiles.manifest))
    for (const expected of manifest.files) {
      const read = found.get(expected.name)
      if (read?.bytes !== expected.bytes || read.sha256 !== expected.sha256)
        throw new DamagedBackup(`The backup is damaged: ${expected.name} is not what was written`)
    }
    return { manifest, files, contents: await list.end() }
  } finally {
    list.stop()
  }
}

function parseManifest(content: Buffer | undefined): BackupManifest {
  if (!content) throw new DamagedBackup('The backup is damaged: it has no manifest')
  const json: unknown = JSON.parse(content.toString('utf8'))
  const read = backupManifest.safeParse(json)
  if (read.success) return read.data
  const { format, coffer } = json as { format?: unknown; coffer?: unknown }
  throw new OperatorProblem(
    format === 1
      ? 'The manifest of the backup is not valid'
      : `The backup was made by Coffer ${String(coffer)} in a form that this version does not know: use that version`,
  )
}

/** Has `pg_restore` list what a dump holds, which it says at its beginning. */
class ContentsList {
  readonly #child
  readonly #said
  readonly #ended: Promise<unknown[]>
  #output = ''

  constructor(program: string) {
    this.#child = spawn(program, ['--list'], { env: { ...process.env, LC_ALL: 'C' }, stdio: 'pipe' })
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
    })
    this.#said = collectText(this.#child.stderr)
    this.#ended = once(this.#child, 'close')
    this.#ended.catch(() => {})
  }

  async write(content: Buffer): Promise<void> {
    const { stdin } = this.#child
    if (stdin.writable && !stdin.write(content)) await Promise.race([once(stdin, 'drain'), this.#ended]).catch(() => {})
  }

  async end(): Promise<string> {
    this.#child.stdin.end()
    const [code] = await this.#ended
    if (code !== 0) throw new OperatorProblem(`pg_restore cannot read the database in it: ${this.#said().trim()}`)
    return this.#output
  }

  stop(): void {
    this.#child.kill()
  }
}

/** Yields the dump of the database. @throws DamagedBackup when it is not that of the summary */
export async function* readDatabaseDump(
  file: string,
  keys: BackupKeys,
  { manifest }: BackupSummary,
): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  for await (const { name, content } of openBackup(file, keys)) {
    if (!isPart(name)) continue
    sum.update(content)
    yield content
  }
  const expected = manifest.files.find(({ name }) => name === backupFiles.database)
  if (sum.digest('hex') !== expected?.sha256) throw new DamagedBackup('The backup changed while it was restored')
}
