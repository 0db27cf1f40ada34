import { z } from 'zod'

const total = z.record(z.string(), z.string())

/** What a backup says about itself. Its last file, so that one without it is not complete. */
export const backupManifest = z.object({
  format: z.literal(1),
  /** Unix seconds. */
  made_at: z.int(),
  /** Version of Coffer that made it, and the last migration of the database. */
  coffer: z.string(),
  schema: z.string(),
  /** Fingerprints of the installation: its secrets, key trees and networks. */
  installation: z.array(z.object({ name: z.string(), value: z.string() })),
  database: z.object({
    /** PostgreSQL's identifier of the cluster, oid of the database and timeline. */
    identity: z.string(),
    lsn: z.string(),
    server: z.string(),
    bytes: z.int(),
  }),
  /** Rows of tables and sums of balances, in the same snapshot. */
  totals: total,
  files: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
})
export type BackupManifest = z.output<typeof backupManifest>

/** Names of the files in a backup. The database is split into `database.dump/000000` and so on. */
export const backupFiles = {
  database: 'database.dump',
  settings: 'coffer.env',
  chains: 'chains.json',
  manifest: 'manifest.json',
} as const

/** Files of the signer's folder that are backed up. The passphrase of the seed is not among them. */
export const signerFiles = ['seed.json', 'policy.json', 'signed.jsonl'] as const
