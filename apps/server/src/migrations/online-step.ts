import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The last step that needs every server to be stopped without saying so. */
const lastUnsaid = '0074_online_steps'

/**
 * What takes long, and therefore runs after `up` and outside its transaction, while servers run. Each part can be
 * killed and is then continued.
 */
export type LaterPart =
  /** Builds an index, such as `definition: '(merchant_id, note) where note is not null'`. */
  | { kind: 'index'; name: string; table: string; definition: string; isUnique?: true }
  /** Checks the existing rows against a constraint that `up` added as `not valid`. */
  | { kind: 'validate'; table: string; constraint: string }
  /** Updates the rows `where` in batches. A row that was updated must not match again. */
  | { kind: 'fill'; table: string; set: string; where: string }

/** A file of `steps/`. */
export interface MigrationStep extends Pick<Migration, 'up'> {
  /** Why servers of the release before cannot go on with it. Without it they can, as the check of steps says. */
  needsStop?: string
  later?: LaterPart[]
  /**
   * For each constraint, unique index, trigger and replaced function on what exists already: why servers of the release
   * before do not run into it.
   */
  fits?: Record<string, string>
}

export type MigrationSteps = Record<string, MigrationStep>

/** Whether servers that do not know the step can go on with it. */
export const isOnline = (name: string, { needsStop }: MigrationStep): boolean =>
  name > lastUnsaid && needsStop === undefined

/** Returns the statements of `up`, which must not depend on what is in the database. */
export async function readStatements({ up }: Pick<MigrationStep, 'up'>): Promise<string[]> {
  const texts: string[] = []
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: of => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void texts.push(query.sql),
  })
  await up(db)
  return texts
}

/** The tables that exist already and of which statements take locks that keep writers waiting. */
export function findLockedTables(statements: string[]): string[] {
  const text = statements.join(';').replace(/--.*$/gm, ' ').toLowerCase()
  const created = new Set<string>()
  const locked = new Set<string>()
  for (const statement of text.split(';')) {
    const words = statement.split(/[\s(),]+/).filter(word => !['', 'only', 'if', 'not', 'exists'].includes(word))
    const [verb, kind, name] = words
    if (verb === 'create' && kind === 'table') created.add(name!)
    if (verb === 'alter' && kind === 'table') locked.add(name!)
    if (verb === 'create' && kind === 'trigger') locked.add(words[words.indexOf('on') + 1]!)
    for (const [index, word] of words.entries()) if (word === 'references') locked.add(words[index + 1]!)
  }
  return [...locked].filter(name => !created.has(name)).sort()
}
