import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrateDatabase } from './migrate.ts'

test('an address of the owner that cannot be read is refused in a sentence', async () => {
  await assert.rejects(migrateDatabase({}), /^Error: DATABASE_OWNER_URL is not set/)
  const DATABASE_OWNER_URL = 'postgres://coffer_owner:a/b@database:5432/coffer'
  await assert.rejects(migrateDatabase({ DATABASE_OWNER_URL }), /^Error: DATABASE_OWNER_URL is not an address: /)
})
