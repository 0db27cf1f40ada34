import { sql } from 'kysely'
import type { MigrationStep } from '../migrations/online-step.ts'

/** A step of a later version, which runs `text`. */
export const makeStep = (text: string, more: Omit<MigrationStep, 'up'> = {}): MigrationStep => ({
  up: async db => void (await sql.raw(text).execute(db)),
  ...more,
})
