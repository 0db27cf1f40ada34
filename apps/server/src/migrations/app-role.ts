import { Problem } from '@coffer/local/problem.ts'
import { type Kysely, sql } from 'kysely'

/** The role of the server's connections. It cannot log in; the owner of the database switches to it. */
export const appRole = 'coffer_app'

/** Connection `options` for pg that switch to the server's role. */
export const asAppRole = `-c role=${appRole}`

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
    throw new Problem(
      `${name} cannot create the database role ${appRole}. Run once as a superuser: create role ${appRole} nologin; grant ${appRole} to ${name};`,
    )
  }
}
