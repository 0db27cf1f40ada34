import { Problem } from '@coffer/local/problem.ts'
import { type Kysely, sql } from 'kysely'

/** The role the server works as. It cannot log in: whoever owns the database takes it on. */
export const appRole = 'coffer_app'

/** Give this to a pg Pool as `options`, and each of its connections works with the server's rights only. */
export const asAppRole = `-c role=${appRole}`

/**
 * Makes the server's role unless the cluster has it (other databases may), and makes sure that we may take it on.
 * Throws a Problem of one line when the database user may not.
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
            null; -- another database of this cluster was faster
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
      `${name} may not make the database role ${appRole}. Run once as a superuser: create role ${appRole} nologin; grant ${appRole} to ${name};`,
    )
  }
}
