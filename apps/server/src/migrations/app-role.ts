import { OperatorProblem } from '@coffer/local/problem.ts'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'

/** The role of the server's connections. It cannot log in; the user of DATABASE_URL switches to it. */
export const appRole = 'coffer_app'

/** Connection `options` for pg that switch to the server's role. */
export const appRoleConnectionOptions = `-c role=${appRole}`

/**
 * Creates the server's role unless it exists in the cluster, and grants it to the database user.
 * @throws Problem when the database user lacks the right
 */
export async function makeAppRole(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(session_user) as name`.execute(db)
  const name = rows[0]!.name
  try {
    await sql`
      do $$ begin
        if not exists (select from pg_roles where rolname = 'coffer_app') then
          begin
            create role coffer_app nologin;
          exception when duplicate_object or unique_violation then
            null; -- created concurrently from another database
          end;
        end if;
        begin
          set local role coffer_app;
        exception when insufficient_privilege then
          grant coffer_app to current_user;
          set local role coffer_app;
        end;
        set local role none;
      end $$
    `.execute(db)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new OperatorProblem(
      `${name} cannot create the database role ${appRole}. Run once as a superuser: create role ${appRole} nologin; grant ${appRole} to ${name};`,
    )
  }
}

/**
 * Refuses a database user to which SET ROLE NONE or its own rights would give the tables: the server's role protects
 * the ledger only from a user that can be nothing more.
 * @throws Problem when the user is a superuser, may create roles, or owns the database or a table
 */
export async function requireLimitedUser(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; why: string | null }>(`
    select quote_ident(session_user) as name, case
      when u.rolsuper then 'is a superuser'
      when u.rolcreaterole then 'may create roles'
      when pg_has_role(session_user, d.datdba, 'member') then 'owns the database'
      when exists (select from pg_class where relnamespace = 'public'::regnamespace
        and pg_has_role(session_user, relowner, 'member')) then 'owns tables'
    end as why
    from pg_roles u, pg_database d where u.rolname = session_user and d.datname = current_database()`)
  const { name, why } = rows[0]!
  if (why === null) return
  throw new OperatorProblem(
    `${name}, the user of DATABASE_URL, ${why}, so one injected statement could rewrite the ledger. Run as the owner: create role coffer_server login password '...' in role ${appRole}; then name coffer_server in DATABASE_URL and the owner in DATABASE_OWNER_URL.`,
  )
}
