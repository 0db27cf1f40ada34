import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import type { Check } from './check.ts'

/** Lines outside the contract on which the key of an operators' call may stand. */
const mentionsMax = 4

/** Calls with more, and how many: never raise one. */
const allowed: Partial<Record<keyof typeof operatorRoles, number>> = {
  'POST /api/operator/v1/chains/:id/resume': 6,
  'POST /api/operator/v1/merchants/:id/remove-authenticator': 5,
  'POST /api/operator/v1/withdrawals/:id/approve': 5,
  'POST /api/operator/v1/withdrawals/:id/cancel': 5,
  'POST /api/operator/v1/queues/:id/resume': 5,
  'POST /api/operator/v1/callbacks/:id/resend': 5,
  'POST /api/operator/v1/wallets/:id/resume': 5,
}

/** Matches a key in quotes, whole or without the folder of the API, as the command line writes it. */
function patternOf(key: string): RegExp {
  const [method, path] = key.split(' ') as [string, string]
  const short = RegExp.escape(path.replace('/api/operator/v1/', ''))
  return new RegExp(`['"\`]${method} (?:/api/operator/v1/)?${short}['"\`]`)
}

/** Rejects a call of operators that more code names than needed: what differs by call belongs into its declaration. */
export const callMentions = (calls: readonly string[] = Object.keys(operatorRoles)): Check => ({
  name: 'calls of operators say everything about themselves',
  complaints: root => {
    const lines = globSync(['apps/*/src/**/*.{ts,tsx}', 'tools/**/*.ts'], { cwd: root })
      .filter(path => !/\.test\.tsx?$|\/generated\/|\/testing\/|call-mentions\.ts$/.test(path))
      .flatMap(path => readFileSync(join(root, path), 'utf8').split('\n'))
      .filter(line => /['"`](?:POST|PUT|PATCH|DELETE) /.test(line))
    return calls.flatMap(key => {
      const pattern = patternOf(key)
      const found = lines.filter(line => pattern.test(line)).length
      const max = allowed[key as keyof typeof operatorRoles] ?? mentionsMax
      return found > max
        ? [`${key} stands on ${found} lines outside the contract, more than ${max}: declare it there`]
        : []
    })
  },
})
