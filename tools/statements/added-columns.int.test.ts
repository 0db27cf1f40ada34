import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testDatabase } from '../../apps/server/src/testing/deps.ts'
import { collectStatements } from './generate.ts'

// A server goes on while the schema of the next version is made (docs/recipes/migration.md).
test('statements that were prepared before a column was added to every table still run', async t => {
  const { url, owner } = await testDatabase({ after: end => t.after(end) })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  const statements = [...(await collectStatements())].flatMap(([name, texts]) =>
    texts.map((text, index) => ({ name, text, id: `${name}/${index}` })),
  )
  // Arguments are unknown: a generic plan needs none.
  await client.query('set plan_cache_mode = force_generic_plan')
  const arguments_ = new Map<string, string>()
  for (const { id, text } of statements) {
    await client.query(`prepare "${id.slice(-60)}" as ${text}`)
    const { rows } = await client.query('select parameter_types from pg_prepared_statements where name = $1', [
      id.slice(-60),
    ])
    const count = String(rows[0].parameter_types) === '{}' ? 0 : String(rows[0].parameter_types).split(',').length
    arguments_.set(id, count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`)
  }
  await owner.query(`do $$ declare name text; begin
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
      execute format('alter table %I add column later int', name);
    end loop;
  end $$`)
  const broken: string[] = []
  for (const { name, id } of statements)
    await client.query(`explain execute "${id.slice(-60)}"${arguments_.get(id)}`).catch(error => {
      broken.push(`${name}: ${error.message}`)
    })
  assert.ok(statements.length > 500)
  assert.deepEqual(broken, [])
})
